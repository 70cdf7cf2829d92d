import type { FollowFlags } from "../shell/follow-run.ts";
import type { TextFlags } from "./read-brief.ts";

/** Flags as typed; numbers are parsed with the settings, so that all problems are reported together. */
export interface DraftFlags extends FollowFlags, TextFlags {
  readonly recipe: string;
  readonly model?: string;
  readonly reviewerModel?: string;
  readonly reviewer?: readonly string[];
  readonly panel?: "all" | "majority" | "any";
  readonly script?: string;
  readonly maxTurns?: string;
  readonly temperature?: string;
  readonly maxTokens?: string;
  readonly timeout?: string;
  readonly totalTimeout?: string;
  readonly retries?: string;
  readonly baseUrl?: string;
  readonly candidates?: string;
  readonly seed?: string;
  readonly approval?: "phrase" | "structured";
  readonly earlyStop: boolean;
  readonly budget?: string;
  readonly new?: boolean;
  readonly output?: string;
  readonly record?: string;
  readonly batch?: string;
  readonly jobs?: number;
  readonly runId?: string;
}

/** Flags of `signoff review`, which writes nothing. */
export interface ReviewFlags extends Omit<DraftFlags, "from" | "earlyStop" | "output" | "batch"> {
  readonly brief?: string;
}
