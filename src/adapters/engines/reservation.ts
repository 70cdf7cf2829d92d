import { replyTokens } from "../../domain/models/reasoning-allowance.ts";
import type { Budget } from "../../ports/flow.ts";
import type { AskRequest, ResolvedRunner } from "../../ports/runner.ts";

/**
 * What a call may cost at most: a token is at least three bytes, and the reply may use all it is allowed, thinking
 * included.
 */
export function reservationFor(request: AskRequest, runner: ResolvedRunner): Required<Budget> {
  const input = Math.ceil(
    (Buffer.byteLength(request.system) + Buffer.byteLength(request.user)) / 3,
  );
  const thinks = runner.runner.thinks?.(request.model) === true;
  const output = replyTokens(maxTokensOf(request), thinks);
  return {
    tokens: input + output,
    microUsd: runner.price({ input, output }) ?? 0,
    seconds: 0,
  };
}

const unboundedReply = 4_096;

function maxTokensOf(request: AskRequest): number {
  const { settings } = request;
  if (settings !== null && typeof settings === "object" && "max_tokens" in settings) {
    const most = settings.max_tokens;
    if (typeof most === "number") return most;
  }
  return unboundedReply;
}
