import type { Brand } from "./brand.ts";

/** Names one run; made at home with 122 random bits. */
export type RunId = Brand<string, "RunId">;

/** Position of a recorded step inside a run: a path such as `turn/2/candidate/1/create`. */
export type Key = Brand<string, "Key">;

export function runId(text: string): RunId {
  return text as RunId;
}

export function key(...parts: readonly (string | number)[]): Key {
  return parts.join("/") as Key;
}
