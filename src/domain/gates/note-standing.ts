import type { Decider, Standing } from "../evidence/standing.ts";
import { defined } from "../values/defined.ts";
import { isWorse } from "./counting-verdict.ts";
import { isFailing, isSettled, type ReviewDecision, type Settled } from "./decision.ts";
import type { PairState } from "./pair-state.ts";
import { panelFlag } from "./panel-vote.ts";
import type { PairRuling } from "./rulings.ts";
import type { FailLevel } from "./snapshots.ts";

/** A pair with everything its acceptance rests on. */
export interface NoteEvidence {
  readonly notePath: string;
  readonly gateId: string;
  readonly model: string;
  readonly failLevel: FailLevel;
  readonly state: PairState;
  /** What was filed, and what rulings make of it. */
  readonly verdict?: { readonly says: Settled; readonly decision: Settled };
  /** The person's ruling that the verdict rests on. */
  readonly ruling?: Pick<PairRuling, "by" | "reason">;
  readonly dismissed: number;
  /** What the recorded replies to prompts with the present texts say; empty if none is at hand. */
  readonly derived: readonly ReviewDecision[];
  /** The model whose recorded reply the verdict was filed for, if that reply is about other texts. */
  readonly misfiled?: string;
  readonly decider?: Decider;
  readonly isStandInRefused: boolean;
}

/** What `signoff verify` calls the pair. */
export function pairTitle({
  notePath,
  gateId,
  model,
}: Pick<NoteEvidence, "notePath" | "gateId" | "model">): string {
  return `${notePath}:${gateId} (${model})`;
}

/** Whether the pair is accepted: a fitting verdict that its replies bear out and that is below the gate's fail level. */
export function decideNoteStanding(evidence: NoteEvidence): Standing {
  const { state, verdict, ruling, derived } = evidence;
  const named = { kind: "note", name: pairTitle(evidence) } as const;
  const refuse = ([why, text, command]: Refusal): Standing => ({
    ...named,
    ...{ accepted: false, why },
    missing: [{ text, ...defined({ command }) }],
  });
  if (state.kind !== "fresh" || verdict === undefined) return refuse(missingReview(evidence));
  const refusal = refusalOf(evidence, verdict);
  if (refusal !== undefined) return refuse(refusal);
  const { says, decision } = verdict;
  const isProven = ruling !== undefined || derived.some((one) => one === says);
  return {
    ...named,
    accepted: true,
    support: isProven ? "proven" : "attested",
    deciders: decidersOf(evidence),
    why: [`the verdict is ${decision}`, ...reasonsOf(evidence, isProven)].join("; "),
  };
}

type Refusal = readonly [why: string, text: string, command?: string];

/** Why a fresh verdict is no acceptance. */
function refusalOf(
  evidence: NoteEvidence,
  { says, decision }: NonNullable<NoteEvidence["verdict"]>,
): Refusal | undefined {
  const { notePath, gateId, model, ruling, derived, misfiled } = evidence;
  const pair = `${notePath}:${gateId}`;
  const contrary = ruling === undefined ? contradiction(says, derived) : undefined;
  if (contrary !== undefined)
    return [
      `filed as ${says}, but its reply ${wordsFor(contrary)}`,
      "The stored verdict does not follow from the recorded reply.",
      `signoff notes override ${pair} --to ${orFail(contrary)} --reason "as the recorded reply says" --model ${model}`,
    ];
  if (misfiled !== undefined && ruling === undefined)
    return [
      `filed as ${says}, but its reply is ${misfiledWords(model)}`,
      "A reply about the present note and gate is missing.",
      `signoff notes review ${notePath} --gate ${gateId} --again${panelFlag(model) || ` --model ${misfiled}`}`,
    ];
  if (evidence.isStandInRefused)
    return [
      "judged by a built-in stand-in only",
      "A verdict of a model is missing (notes.allow_offline is false).",
    ];
  if (isFailing(decision, evidence.failLevel))
    return [
      `the verdict is ${decision}`,
      "The findings are open: change the note, or rule on them.",
      `signoff notes warns ${notePath}`,
    ];
  return undefined;
}

function missingReview({ notePath, gateId, model, state }: NoteEvidence): Refusal {
  const panel = panelFlag(model);
  const review = `signoff notes review ${notePath} --gate ${gateId}`;
  if (state.kind === "undecided") {
    const reviews = state.times === 1 ? "one review" : `${state.times} reviews`;
    return [
      `undecided: ${reviews} without a verdict`,
      "A review of the present note and gate that comes to a verdict is missing.",
      `${review}${panel || ` --model ${model}`} --retry-undecided`,
    ];
  }
  const why = state.kind === "fresh" ? "missing-review" : state.reason;
  return [`stale: ${why}`, "A review of the present note and gate is missing.", review + panel];
}

function misfiledWords(model: string): string {
  return panelFlag(model) === "" ? "about other texts" : "about other texts or another judge's";
}

function wordsFor(decision: ReviewDecision): string {
  return isSettled(decision) ? `says ${decision}` : "decides nothing";
}

function orFail(decision: ReviewDecision): Settled {
  return isSettled(decision) ? decision : "fail";
}

/** The worst reply that the filed verdict is better than. */
function contradiction(
  says: Settled,
  derived: readonly ReviewDecision[],
): ReviewDecision | undefined {
  const worse = derived.filter(isSettled).filter((one) => isWorse(one, says));
  const isBorneOut = derived.length === 0 || derived.includes(says);
  if (worse.length > 0) return worse.includes("fail") ? "fail" : "warn";
  return isBorneOut ? undefined : derived[0];
}

function decidersOf({ ruling, dismissed, decider }: NoteEvidence): readonly Decider[] {
  const person: readonly Decider[] = ruling === undefined && dismissed === 0 ? [] : ["person"];
  return [...(ruling === undefined && decider !== undefined ? [decider] : []), ...person];
}

function reasonsOf({ ruling, dismissed }: NoteEvidence, isProven: boolean): readonly string[] {
  return [
    ...(ruling === undefined ? [] : [`${ruling.by} ruled so: ${ruling.reason}`]),
    ...(dismissed === 0 ? [] : ["with dismissed findings"]),
    ...(isProven ? [] : ["its reply is not in this store"]),
  ];
}
