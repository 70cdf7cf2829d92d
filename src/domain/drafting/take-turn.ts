import { defined } from "../values/defined.ts";
import { bestCandidate } from "./best-candidate.ts";
import { isLocked, type LoopDecision } from "./decision.ts";
import type { IssueLedger } from "./issue-ledger.ts";
import type { LoopIteration, LoopState } from "./iteration.ts";
import {
  type CandidateTurn,
  type IssuePlace,
  type JudgedCandidate,
  judgeCandidate,
} from "./judge-candidate.ts";
import type { PanelRule } from "./panel.ts";

/** What `takeTurn` needs: the state of the loop, and all replies of creators and reviewers. */
export interface TurnInput {
  readonly state: LoopState;
  readonly decision?: LoopDecision;
  /** The ledger before this turn: `currentLedger(state)`, with what people have added since. */
  readonly ledger: IssueLedger;
  readonly candidates: readonly CandidateTurn[];
  readonly rule: PanelRule;
  readonly lockedText?: string;
  readonly issueId: (place: IssuePlace) => string;
}

/** What became of the answers. */
export type TurnOutcome =
  | {
      readonly kind: "taken";
      readonly iteration: LoopIteration;
      /** The state with this iteration in it. */
      readonly state: LoopState;
      /** Every candidate with its combined review and the members' own, in the order of the creators. */
      readonly judged: readonly JudgedCandidate[];
    }
  /** No candidate or no review: no iteration, and the turn can be taken again. */
  | { readonly kind: "failed"; readonly reason: "no_candidate" | "no_review" }
  /** The loop has ended or used up its iterations; nothing changes. */
  | { readonly kind: "ended" };

/**
 * Makes one iteration out of what creators and reviewers answered. Pure: the same answers give the same
 * iteration. A candidate without a review drops out; the best of the others is chosen, together with its ledger.
 */
export function takeTurn(input: TurnInput): TurnOutcome {
  const { state } = input;
  const iteration = nextIteration(state);
  if (isLocked(input.decision) || iteration > state.maxIterations) return { kind: "ended" };
  if (input.candidates.length === 0) return { kind: "failed", reason: "no_candidate" };
  const previous = state.iterations.at(-1);
  const judged = input.candidates
    .filter((turn) => turn.members.some((member) => member.kind === "replied"))
    .map((turn) =>
      judgeCandidate(turn, {
        iteration,
        ...input,
        ...defined({ previous }),
      }),
    );
  const best = bestCandidate(judged);
  if (best === undefined) return { kind: "failed", reason: "no_review" };
  const recorded = recordIteration(
    best,
    judged.filter((other) => other !== best),
  );
  return {
    kind: "taken",
    iteration: recorded,
    state: { ...state, iterations: [...state.iterations, recorded] },
    judged,
  };
}

export function nextIteration(state: LoopState): number {
  return (state.iterations.at(-1)?.iteration ?? 0) + 1;
}

/** What is open after the last turn, and what that turn closed. */
export function currentLedger(state: LoopState): IssueLedger {
  return state.iterations.at(-1)?.ledger ?? [];
}

function recordIteration(best: JudgedCandidate, losers: readonly JudgedCandidate[]): LoopIteration {
  const loserRefs = losers.map(({ candidate }) => ({
    kind: "candidate",
    ref: candidate.candidateId,
    metadata: {},
  }));
  const { iteration } = best.review;
  return {
    iteration,
    creatorDone: best.done,
    candidate: best.candidate,
    review: { ...best.review, provenance: [...best.review.provenance, ...loserRefs] },
    answers: best.answers,
    panel: best.isPanel ? best.members : [],
    ...(best.isPanel ? { vote: best.vote } : {}),
    losers: losers.map(({ candidate, review }) => ({ candidate, review })),
    ledger: best.ledger.filter(
      ({ status, closedIn }) => status === "open" || closedIn === iteration,
    ),
  };
}
