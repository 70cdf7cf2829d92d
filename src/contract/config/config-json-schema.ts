import { z } from "zod";
import type { Json } from "../../domain/values/json.ts";
import { configShape } from "./config-shape.ts";

/** For editors: completion and checks while `signoff.yaml` is written. */
export function configJsonSchema(): Json {
  const described = z.toJSONSchema(configShape, { io: "input" });
  return JSON.parse(JSON.stringify({ title: "signoff.yaml", ...described })) as Json;
}
