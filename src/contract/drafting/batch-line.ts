import { z } from "zod";
import { lazily } from "../../domain/values/lazily.ts";
import { explainShape } from "../documents/explain-shape.ts";
import {
  type FileProblem,
  messageWithHint,
  type Parsed,
  problems,
} from "../documents/file-problem.ts";
import { renderPath } from "../documents/read-document.ts";

const briefShape = lazily(() =>
  z.strictObject({
    id: z.string().trim().min(1).max(200).exactOptional(),
    brief: z.string().exactOptional(),
    recipe: z.string().min(1).exactOptional(),
    /** Paths from the working directory. */
    context: z.array(z.string().min(1)).exactOptional(),
    from: z.string().min(1).exactOptional(),
  }),
);

/** One brief of a batch. Without an id of its own it is known by the number of its line. */
export interface BatchBrief {
  readonly id: string;
  readonly line: number;
  readonly brief?: string;
  readonly recipe?: string;
  readonly context?: readonly string[];
  readonly from?: string;
}

/** A line of a batch: a text, or an object with the brief and what differs from the other lines. */
export function parseBatchLine(text: string, file: string, line: number): Parsed<BatchBrief> {
  const fail = (message: string, path = ""): FileProblem => ({ file, line, path, message });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return problems([fail("is not JSON: each line must be a text in quotes or an object")]);
  }
  const given = typeof value === "string" ? { brief: value } : value;
  const checked = explainShape(briefShape(), given);
  if (checked.kind === "faults") {
    return problems(
      checked.faults.map(({ path, ...fault }) => fail(messageWithHint(fault), renderPath(path))),
    );
  }
  const brief = checked.value;
  if ((brief.brief ?? "").trim() === "" && brief.from === undefined) {
    return problems([fail("is missing; say what to write about", "brief")]);
  }
  return { kind: "parsed", value: { id: String(line), line, ...brief } };
}

const resultShape = lazily(() => z.looseObject({ id: z.string(), input: z.string() }));

/** Which brief a line of the results answers, and the digest of what was asked; undefined for any other line. */
export function parseResultLine(
  text: string,
): { readonly id: string; readonly input: string } | undefined {
  try {
    const { id, input } = resultShape().parse(JSON.parse(text));
    return { id, input };
  } catch {
    return undefined;
  }
}
