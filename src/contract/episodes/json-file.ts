import type { z } from "zod";
import { InvalidEpisode } from "../../domain/episodes/invalid-episode.ts";
import { checkShape, type DocumentSource, readJson } from "../documents/read-document.ts";
import { type CamelCaseKeys, camelCaseKeys } from "../documents/stored-keys.ts";
import { episodeFileOrThrow, invalidEpisodeFile } from "./invalid-episode-file.ts";

/** Reads one file of the workspace with the names used in here. Throws `InvalidFile` with everything that is wrong. */
export function parseJsonFile<S extends z.ZodType, Value>(
  source: DocumentSource,
  shape: S,
  toValue: (stored: CamelCaseKeys<z.output<S>>) => Value,
): Value {
  const document = episodeFileOrThrow(readJson(source));
  const stored = episodeFileOrThrow(checkShape(document, shape));
  return keepingRules(source.file, () => toValue(camelCaseKeys(shape, stored)));
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
