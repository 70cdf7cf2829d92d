import type { TextFormat } from "./candidate.ts";
import type { PanelRule } from "./panel.ts";
import type { Severity } from "./review.ts";
import type { StopRule } from "./stop-rules.ts";

/** The longest reply that a flag, a setting or a recipe may ask for. */
export const mostTokens = 32_000;

/** How a recipe wants a role to be asked; a model named by the user goes before the recipe's. */
export interface RoleSettings {
  readonly model?: string;
  readonly temperature: number;
  /** Visible text; runners add an allowance for models that think aloud. */
  readonly maxTokens: number;
}

/** A member of a recipe's panel. */
export interface PanelMember {
  readonly name: string;
  readonly model?: string;
  /** The member's role and own criteria, in words. */
  readonly brief: string;
}

/** A deterministic check of a recipe. Lengths are counted in code points. */
export type Check = { readonly severity: Severity } & (
  | { readonly kind: "max_length"; readonly characters: number }
  | { readonly kind: "min_length"; readonly characters: number }
  | { readonly kind: "one_line" | "bullet_list" | "comma_list" }
  | { readonly kind: "sentences"; readonly min: number; readonly max: number }
  | { readonly kind: "pattern"; readonly pattern: string; readonly message: string }
  | { readonly kind: "banned_words"; readonly words: readonly string[] }
  | { readonly kind: "required_section"; readonly heading: string }
  | { readonly kind: "required_text"; readonly text: string }
  | { readonly kind: "hashtags"; readonly min: number }
  /** No item of a bullet or comma list twice, upper and lower case alike. */
  | { readonly kind: "unique_items" }
  /** A line with the chapter at `00:00`, as video sites want it. */
  | { readonly kind: "opening_chapter" }
);

/** What to write, how it is judged, and when to stop. Frozen into each run. */
export interface Recipe {
  readonly id: string;
  readonly title: string;
  readonly format: TextFormat;
  /** `plain`: the reply is the text and the creator counts as always done. */
  readonly creatorReply: "plain" | "structured";
  /** Markdown's emphasis is taken out of the replies; absent in runs of older versions. */
  readonly removesMarks?: true;
  readonly approval: "phrase" | "structured";
  readonly phrase: string;
  readonly maxTurns: number;
  /** A longer text is asked for once more; one that is still longer gets an error. */
  readonly maxCharacters: number;
  /** Longest time for one reply; absent: the usual limit. */
  readonly maxSeconds?: number;
  readonly checks: readonly Check[];
  readonly stopRules: readonly StopRule[];
  readonly stopOnNeedsHuman: boolean;
  readonly creator: RoleSettings;
  readonly reviewer: RoleSettings;
  /** Absent: one reviewer, or those the user names. */
  readonly panel?: readonly PanelMember[];
  /** How the panel decides; absent: `all`. */
  readonly panelRule?: PanelRule;
  /** Instructions, in words, for the two roles. */
  readonly writerBrief: string;
  readonly reviewerBrief: string;
}
