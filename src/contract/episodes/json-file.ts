import type { z } from "zod";
import { InvalidEpisode } from "../../domain/episodes/invalid-episode.ts";
import { InvalidEpisodeFile } from "./invalid-episode-file.ts";

/** How one kind of file is read: its shape on disk, and what it means. */
export interface JsonFile<Stored, Value> {
  readonly shape: z.ZodType<Stored>;
  toValue(stored: Stored): Value;
}

/** Reads one file of the workspace; every fault is an `InvalidEpisodeFile` with file, rule and place. */
export function parseJsonFile<Stored, Value>(
  text: string,
  file: string,
  kind: JsonFile<Stored, Value>,
): Value {
  const parsed = kind.shape.safeParse(parseJson(text, file));
  if (!parsed.success) throw shapeError(file, parsed.error);
  return keepingRules(file, () => kind.toValue(parsed.data));
}

/** Names the file in an error about a rule of the model. */
export function keepingRules<Value>(file: string, build: () => Value): Value {
  try {
    return build();
  } catch (error) {
    if (!(error instanceof InvalidEpisode)) throw error;
    throw new InvalidEpisodeFile(
      { file, rule: error.rule, message: error.message },
      { cause: error },
    );
  }
}

/** Sorted keys, two spaces, readable letters, a final newline: equal values are equal bytes. */
export function renderJson(value: unknown): string {
  return `${JSON.stringify(sorted(value), null, 2)}\n`;
}

export function shapeError(file: string, error: z.ZodError): InvalidEpisodeFile {
  const issue = error.issues[0];
  const place = issue === undefined ? "" : placeOf(issue.path);
  return new InvalidEpisodeFile(
    {
      file,
      rule: "shape",
      message: issue?.message ?? "has an unexpected shape",
      ...(place === "" ? {} : { place }),
    },
    { cause: error },
  );
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (cause) {
    throw new InvalidEpisodeFile(
      { file, rule: "json", message: `is not JSON: ${String(cause)}` },
      { cause },
    );
  }
}

function placeOf(path: readonly PropertyKey[]): string {
  return path
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`))
    .join("")
    .replace(/^\./, "");
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, item]) => [name, sorted(item)]),
  );
}
