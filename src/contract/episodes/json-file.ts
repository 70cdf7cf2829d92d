import type { z } from "zod";
import { InvalidEpisode } from "../../domain/episodes/invalid-episode.ts";
import { checkShape, readJson } from "../documents/read-document.ts";
import { episodeFileOrThrow, invalidEpisodeFile } from "./invalid-episode-file.ts";

/** How one kind of file is read: its shape on disk, and what it means. */
export interface JsonFile<Stored, Value> {
  readonly shape: z.ZodType<Stored>;
  toValue(stored: Stored): Value;
}

/** Reads one file of the workspace. Throws `InvalidFile` with everything that is wrong. */
export function parseJsonFile<Stored, Value>(
  text: string,
  file: string,
  { shape, toValue }: JsonFile<Stored, Value>,
): Value {
  const document = episodeFileOrThrow(readJson({ file, text }));
  const stored = episodeFileOrThrow(checkShape(document, shape));
  return keepingRules(file, () => toValue(stored));
}

/** Names the file in an error about a rule of the model. */
export function keepingRules<Value>(file: string, build: () => Value): Value {
  try {
    return build();
  } catch (error) {
    if (!(error instanceof InvalidEpisode)) throw error;
    throw invalidEpisodeFile({ file, rule: error.rule, message: error.message, cause: error });
  }
}
