import type { DraftInput } from "../../domain/drafting/draft-input.ts";
import { utf8Bytes } from "../../domain/models/token-estimate.ts";
import type { AskRequest } from "../../ports/runner.ts";
import { DraftAsks } from "./draft-asks.ts";

/** What a model has to be able to read, and to write in reply. */
export interface PromptNeed {
  readonly model: string;
  readonly bytes: number;
  readonly replyTokens: number;
}

/** The prompts of the first turn. Later ones add the last text and what was said about it. */
export function promptNeeds(input: DraftInput): readonly PromptNeed[] {
  const asks = new DraftAsks(input, { nonce: () => "", provenanceOf: () => [] });
  const standing = {
    state: { maxIterations: input.maxTurns, iterations: input.previous },
    ledger: [],
  };
  const { edited, creator } = input;
  const written = { index: 1, text: edited?.text ?? "", answers: [], checks: [] };
  const room = edited === undefined ? creator.maxTokens : 0;
  return [
    ...(input.reviewOnly === true
      ? []
      : [needOf(asks.create(standing, 1).request, creator.maxTokens)]),
    ...input.reviewers.map((role) =>
      needOf(asks.review(standing, written, role).request, role.maxTokens + room),
    ),
  ];
}

function needOf({ model, system, user }: AskRequest, replyTokens: number): PromptNeed {
  return { model, bytes: utf8Bytes(system) + utf8Bytes(user), replyTokens };
}
