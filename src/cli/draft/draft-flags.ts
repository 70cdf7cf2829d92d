import type { FollowFlags } from "../shell/follow-run.ts";

/** Flags as typed; numbers are parsed with the settings, so that all problems are reported together. */
export interface DraftFlags extends FollowFlags {
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
  readonly runId?: string;
}
