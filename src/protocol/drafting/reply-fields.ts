import type { Json, JsonObject } from "../../domain/values/json.ts";
import { cleanText } from "./clean-text.ts";

/** A text a model sent, fit to be stored; absent when it is empty or no text. */
export function replyText(value: Json | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? cleanText(value) : undefined;
}

/** The first of these members that is a text. */
export function readTextOf(object: JsonObject, names: readonly string[]): string | undefined {
  for (const name of names) {
    const text = Object.hasOwn(object, name) ? replyText(object[name]) : undefined;
    if (text !== undefined) return text;
  }
  return undefined;
}

/** Members that were not asked for, kept so that nothing a model said is lost. `__proto__` is never copied. */
export function unknownKeys(object: JsonObject, known: readonly string[]): JsonObject | undefined {
  const rest = Object.entries(object).filter(
    ([name]) => !known.includes(name) && name !== "__proto__",
  );
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
}
