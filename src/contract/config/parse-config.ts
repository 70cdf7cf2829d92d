import type { z } from "zod";
import type { ProjectConfig } from "../../domain/settings/project-config.ts";
import type { Json } from "../../domain/values/json.ts";
import { mapParsed, type Parsed } from "../documents/file-problem.ts";
import { checkShape, type PathParts, readYaml } from "../documents/read-document.ts";
import { camelCaseKeys } from "./camel-case-keys.ts";
import { configShape } from "./config-shape.ts";

export interface ReadConfig {
  readonly config: ProjectConfig;
  /** The same as people wrote it, for lists of settings by name. */
  readonly file: ConfigFile;
  /** Line of a setting by its path in the file, such as `["drafting", "max_turns"]`. */
  readonly lineOf: (path: PathParts) => number;
}

/** `signoff.yaml` with its own names. */
export type ConfigFile = z.output<typeof configShape>;

/** No settings come near this. */
const longest = 200_000;

/** Every mistake in the file at once, each with its line, its key and what was probably meant. */
export function parseConfig(text: string, file: string): Parsed<ReadConfig> {
  const read = readYaml({ file, text, longest });
  if (read.kind === "problems") return read;
  const document = { ...read.value, value: withoutEmptySections(read.value.value) };
  return mapParsed(checkShape(document, configShape), (value) => ({
    config: camelCaseKeys(configShape, value),
    file: value,
    lineOf: (path) => document.placeOf(path)?.line ?? 1,
  }));
}

/** `notes:` with only comments below it sets nothing. */
function withoutEmptySections(value: Json): Json {
  const sections = Object.entries(value as object).filter(([, section]) => section !== null);
  return Object.fromEntries(sections) as Json;
}
