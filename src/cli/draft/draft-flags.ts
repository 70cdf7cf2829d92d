import type { FollowFlags } from "../shell/follow-run.ts";

/** As they were typed; numbers are read together with the settings, so that all that is wrong is said at once. */
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
