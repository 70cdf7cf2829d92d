import type { Json } from "../values/json.ts";

/** Where a value comes from, as `config show` prints it. */
export type SettingSource = "flag" | "environment" | ".env" | `signoff.yaml:${number}` | "default";

/** A given value, and the name it was given under: a flag, a variable or a path in the file. */
export interface GivenSetting<T = Json> {
  readonly value: T;
  readonly source: Exclude<SettingSource, "default">;
  readonly as: string;
}

/** One setting as it holds now. */
export interface SettingEntry {
  readonly name: string;
  /** `null`: it is not set and there is no single default. */
  readonly value: Json;
  readonly source: SettingSource;
  /** What a reader has to know besides the value. */
  readonly note?: string;
}

/** Flag before environment before `.env` before `signoff.yaml`; among equals the one given first. */
export function chooseSetting<T>(given: readonly GivenSetting<T>[]): GivenSetting<T> | undefined {
  let chosen: GivenSetting<T> | undefined;
  for (const candidate of given) {
    if (chosen === undefined || rank(candidate.source) < rank(chosen.source)) chosen = candidate;
  }
  return chosen;
}

/** Whether the value came with the project's files, which may be untrusted. */
export function isFromProject(source: SettingSource): boolean {
  return source === ".env" || source.startsWith("signoff.yaml:");
}

function rank(source: SettingSource): number {
  if (source === "flag") return 0;
  if (source === "environment") return 1;
  return source === ".env" ? 2 : 3;
}
