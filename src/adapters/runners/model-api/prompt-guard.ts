import { utf8Bytes } from "../../../domain/models/token-estimate.ts";
import { judgeTruncation } from "../../../domain/models/truncation-guard.ts";
import { RunnerError } from "../../../domain/values/workflow-error.ts";
import type { AskRequest } from "../../../ports/runner.ts";
import { readCallSettings } from "./call-settings.ts";
import type { ModelAnswer } from "./stream-answer.ts";

/** Whether a reply approves something; only approvals can be void. Supplied by the caller, which knows the format. */
export type ApprovalTest = (request: AskRequest, text: string) => boolean;

interface GuardedBy {
  readonly contextTokens: number;
  /** Without a test every reply to a request that asks for the guard counts as an approval. */
  readonly isApproval: ApprovalTest | undefined;
}

/**
 * The error that makes an approval void if the server seems to have cut the prompt. The same request would be cut the
 * same way again, so the error is not retryable.
 */
export function cutPrompt(
  request: AskRequest,
  answer: ModelAnswer,
  by: GuardedBy,
): RunnerError | undefined {
  const { guard, nonces } = readCallSettings(request.settings);
  if (!guard || by.isApproval?.(request, answer.text) === false) return undefined;
  const counted = answer.tokens?.input ?? 0;
  const verdict = judgeTruncation({
    bytes: promptBytes(request),
    contextTokens: by.contextTokens,
    ...(counted === 0 ? {} : { countedTokens: counted }),
    echoed: nonces.length >= 2 && nonces.every((nonce) => answer.text.includes(nonce)),
  });
  if (verdict.counts) return undefined;
  const { estimate } = verdict;
  const read = counted === 0 ? "does not say how many it read" : `read ${counted}`;
  return new RunnerError(
    `${request.model} seems to have seen only a part of the prompt: at least ${estimate} tokens were sent, the server ${read}, with room for ${by.contextTokens}. Its approval does not count.`,
    {
      code: "prompt-truncated",
      facts: {
        model: request.model,
        estimate,
        counted: counted === 0 ? null : counted,
        context_tokens: by.contextTokens,
      },
      hint: "Use a model with a longer context, or a shorter text.",
    },
  );
}

export function promptBytes(request: AskRequest): number {
  return utf8Bytes(request.system) + utf8Bytes(request.user);
}
