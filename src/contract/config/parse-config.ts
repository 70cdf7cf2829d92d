import type { z } from "zod";
import type { ProjectConfig } from "../../domain/settings/project-config.ts";
import type { FileError } from "../documents/front-matter.ts";
import { readYaml } from "../documents/read-yaml.ts";
import { camelCaseKeys } from "./camel-case-keys.ts";
import { configShape } from "./config-shape.ts";

export type ParsedConfig =
  | {
      readonly kind: "ok";
      readonly config: ProjectConfig;
      /** The same as people wrote it, for lists of settings by name. */
      readonly file: ConfigFile;
      /** Line of a setting by its path in the file, such as `["drafting", "max_turns"]`. */
      readonly lineOf: (path: readonly PropertyKey[]) => number;
    }
  | { readonly kind: "errors"; readonly errors: readonly FileError[] };

/** `signoff.yaml` with its own names. */
export type ConfigFile = z.output<typeof configShape>;

/** Every fault of the file at once, each with line, field and what was probably meant. */
export function parseConfig(text: string, fileName: string): ParsedConfig {
  const read = readYaml({ text, fileName, shape: configShape });
  if (read.kind === "errors") return read;
  const config: ProjectConfig = camelCaseKeys(configShape, read.value);
  return { kind: "ok", config, file: read.value, lineOf: read.lineOf };
}
