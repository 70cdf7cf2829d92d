import { z } from "zod";
import { coderResultFileShape } from "./repair-prompt.ts";
import { verdictFileShape } from "./verdict-format.ts";

/** Schemas of the artifacts that hold what a model or a coder said, by file name. */
export function publishedReplies(): ReadonlyMap<string, object> {
  const shapes = [
    ["analyst_verdict.schema.json", verdictFileShape],
    ["coder_result.schema.json", coderResultFileShape],
  ] as const;
  return new Map(shapes.map(([name, shape]) => [name, z.toJSONSchema(shape, { io: "input" })]));
}
