import type { Settings } from "../../domain/settings/settings.ts";
import { isObject, type Json, type JsonObject } from "../../domain/values/json.ts";
import type { LoadedSettings } from "./settings.ts";

/** Each setting that is frozen with a run, and its name there. */
const names = [
  ["providers.ollama.base_url", "base_url"],
  ["limits.timeout", "timeout"],
  ["limits.total_timeout", "total_timeout"],
  ["limits.retries", "attempts"],
] as const;

/**
 * The settings given by flag, frozen with the run so that resuming it needs no flags. Models, turns and the like are part
 * of its input. None of them can hold a secret: addresses with a password are refused.
 */
export function frozenSettings({ entries }: Pick<LoadedSettings, "entries">): JsonObject {
  const given = names.flatMap(([name, as]) => {
    const entry = entries.find((each) => each.name === name && each.source === "flag");
    return entry === undefined ? [] : [[as, entry.value] as const];
  });
  return Object.fromEntries(given);
}

/** The settings of this invocation with those of a run in their place. */
export function withFrozen(settings: Settings, frozen: Json): Settings {
  if (!isObject(frozen)) return settings;
  const { base_url: baseUrl, timeout, total_timeout: total } = frozen;
  return {
    ...settings,
    ...(typeof baseUrl === "string" ? { ollama: { baseUrl } } : {}),
    ...(typeof timeout === "number" ? { idleSeconds: timeout, firstIdleSeconds: timeout } : {}),
    ...(typeof total === "number" ? { totalSeconds: total } : {}),
  };
}
