import type { TextFormat } from "./candidate.ts";
import type { Severity } from "./review.ts";
import type { StopRule } from "./stop-rules.ts";

/** How a recipe wants a role to be asked; a model named by the user goes before the recipe's. */
export interface RoleSettings {
  readonly model?: string;
  readonly temperature: number;
  /** Visible text; runners add an allowance for models that think aloud. */
  readonly maxTokens: number;
}

/** A deterministic check of a recipe. Lengths are counted in code points. */
export type Check =
  | { readonly kind: "max_length"; readonly characters: number; readonly severity: Severity }
  | { readonly kind: "min_length"; readonly characters: number; readonly severity: Severity }
  | { readonly kind: "one_line"; readonly severity: Severity }
  | {
      readonly kind: "sentences";
      readonly min: number;
      readonly max: number;
      readonly severity: Severity;
    }
  | {
      readonly kind: "pattern";
      readonly pattern: string;
      readonly message: string;
      readonly severity: Severity;
    }
  | {
      readonly kind: "banned_words";
      readonly words: readonly string[];
      readonly severity: Severity;
    }
  | { readonly kind: "required_section"; readonly heading: string; readonly severity: Severity }
  | { readonly kind: "required_text"; readonly text: string; readonly severity: Severity }
  | { readonly kind: "hashtags"; readonly min: number; readonly severity: Severity }
  | { readonly kind: "bullet_list"; readonly severity: Severity }
  | { readonly kind: "comma_list"; readonly severity: Severity }
  /** No item of a bullet or comma list twice, upper and lower case alike. */
  | { readonly kind: "unique_items"; readonly severity: Severity }
  /** A line with the chapter at `00:00`, as video sites want it. */
  | { readonly kind: "opening_chapter"; readonly severity: Severity };

/** What to write, how it is judged, and when to stop. Frozen into each run. */
export interface Recipe {
  readonly id: string;
  readonly title: string;
  readonly format: TextFormat;
  /** `plain`: the reply is the text and the creator counts as always done. */
  readonly creatorReply: "plain" | "structured";
  readonly approval: "phrase" | "structured";
  readonly phrase: string;
  readonly maxTurns: number;
  /** A longer text than this is a failed call, not a candidate. */
  readonly maxCharacters: number;
  readonly checks: readonly Check[];
  readonly stopRules: readonly StopRule[];
  readonly stopOnNeedsHuman: boolean;
  readonly creator: RoleSettings;
  readonly reviewer: RoleSettings;
  /** Instructions, in words, for the two roles. */
  readonly writerBrief: string;
  readonly reviewerBrief: string;
}
