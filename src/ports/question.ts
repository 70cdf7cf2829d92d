import type { Instant } from "../domain/values/instant.ts";
import type { Json } from "../domain/values/json.ts";

/** Something only a person, or an agent outside the process, can say. */
export interface Question {
  readonly kind: string;
  readonly text: string;
  readonly choices: readonly string[];
  readonly context: Json;
}

/** Stored once, and never changed. */
export interface Answer {
  readonly choice: string;
  readonly comment?: string;
  readonly text?: string;
  readonly by: string;
  readonly at: Instant;
}
