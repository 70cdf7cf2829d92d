import type { z } from "zod";
import type { GivenSetting, SettingSource } from "../../domain/settings/choose-setting.ts";
import type { Json } from "../../domain/values/json.ts";
import type { ReadConfig } from "./parse-config.ts";
import type { Setting, SettingFlags } from "./setting-table.ts";

export type Variables = { readonly [name: string]: string };

/** Everything that can set a value, as found. */
export interface SettingSources {
  readonly flags: SettingFlags;
  /** Variables of the process. */
  readonly environment: Variables;
  /** What the project's `.env` may set, already filtered. */
  readonly dotEnv: Variables;
  readonly config?: ReadConfig;
}

/** A value that cannot be used, with the name under which it was given. */
export interface SettingProblem {
  readonly source: SettingSource | "signoff.yaml";
  readonly name: string;
  readonly message: string;
}

/** Every value given for a setting, strongest first, whether usable or not. */
export function givenFor(
  name: string,
  setting: Pick<Setting, "flag" | "variables">,
  sources: SettingSources,
): readonly GivenSetting[] {
  const flag = setting.flag === undefined ? undefined : sources.flags[setting.flag];
  const inFile = fileValue(name, sources.config);
  return [
    ...(flag === undefined || setting.flag === undefined
      ? []
      : [{ value: flag, source: "flag" as const, as: flagName(setting.flag) }]),
    ...fromVariables(setting.variables, sources.environment, "environment"),
    ...fromVariables(setting.variables, sources.dotEnv, ".env"),
    ...(inFile === undefined ? [] : [inFile]),
  ];
}

/** Checks all values, including those that a stronger one overrides: a wrong value is reported wherever it is. */
export function checkGiven<S extends z.ZodType>(
  given: readonly GivenSetting[],
  schemaOf: () => S,
): { readonly usable: GivenSetting<z.output<S>>[]; readonly problems: SettingProblem[] } {
  const usable: GivenSetting<z.output<S>>[] = [];
  const problems: SettingProblem[] = [];
  for (const { value, source, as } of given) {
    const schema = schemaOf();
    const checked = schema.safeParse(typeof value === "string" ? fromText(value, schema) : value);
    if (checked.success) usable.push({ value: checked.data, source, as });
    else problems.push({ source, name: as, message: checked.error.issues[0]?.message ?? "" });
  }
  return { usable, problems };
}

/** Text from a flag or a variable as the kind of value the setting has; other text stays for the check to refuse. */
export function fromText(text: string, schema: z.core.$ZodType): Json {
  const trimmed = text.trim();
  switch ((schema as z.core.$ZodTypes)._zod.def.type) {
    case "number":
      return /^[+-]?(?:\d+\.?\d*|\.\d+)$/u.test(trimmed) ? Number(trimmed) : text;
    case "boolean":
      return trimmed === "true" ? true : trimmed === "false" ? false : text;
    default:
      return trimmed;
  }
}

/** `maxTurns` → `--max-turns`. */
export function flagName(flag: string): string {
  return `--${flag.replace(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`)}`;
}

function fromVariables(
  names: readonly string[],
  variables: Variables,
  source: "environment" | ".env",
): readonly GivenSetting[] {
  return names.flatMap((name) => {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    return value === undefined || value.trim() === "" ? [] : [{ value, source, as: name }];
  });
}

function fileValue(name: string, config: SettingSources["config"]): GivenSetting | undefined {
  if (config === undefined) return undefined;
  const path = name.split(".");
  let value: unknown = config.file;
  for (const part of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part))
      return undefined;
    value = (value as { readonly [name: string]: unknown })[part];
  }
  return { value: value as Json, source: `signoff.yaml:${config.lineOf(path)}`, as: name };
}
