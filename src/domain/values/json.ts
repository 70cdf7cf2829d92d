/** What can be stored, sent and digested without loss. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [name: string]: Json };

export type JsonObject = { readonly [name: string]: Json };

/** Undefined if the text is not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

export function isArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** True for a JSON object, not for a list or null. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !isArray(value);
}
