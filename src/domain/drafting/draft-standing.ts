import type { Decider, MissingEvidence, Standing } from "../evidence/standing.ts";
import { capitalised } from "../values/capitalised.ts";
import { isArray, isObject, type Json } from "../values/json.ts";
import { shellWord } from "../values/shell-word.ts";
import { decisionRule, type LoopDecision } from "./decision.ts";
import { type DraftRuling, lastRuling } from "./draft-outcome.ts";

/** An event of a loop, as it is stored or as the replies give it. */
export interface LoopFact {
  readonly kind: string;
  readonly data: Json;
}

/** What the recorded replies come to when they are read and decided again. */
export type DerivedLoop =
  | {
      readonly kind: "derived";
      readonly events: readonly LoopFact[];
      readonly decision?: LoopDecision;
    }
  /** Replies of an older rule are not read by today's. */
  | { readonly kind: "older-rule"; readonly rule: number }
  /** They come to nothing, or were given to other questions; says which. */
  | { readonly kind: "broken"; readonly why: string; readonly events: readonly LoopFact[] };

/** Everything that the acceptance of a draft rests on. */
export interface DraftEvidence {
  readonly runId: string;
  readonly brief: string;
  readonly recipe: string;
  readonly recorded: {
    readonly events: readonly LoopFact[];
    /** The decision that lists show, kept apart from the events. */
    readonly decision?: Json;
  };
  readonly derived: DerivedLoop;
  /** The sides of the loop. */
  readonly deciders: readonly Decider[];
  /** People's acts, oldest first. */
  readonly rulings: readonly DraftRuling[];
}

/**
 * Whether a draft is accepted, from its evidence alone: both sides signed by today's rule, or a person approved one of its
 * texts. A record that does not follow from the replies is refused, whoever approved it.
 */
export function draftStanding(evidence: DraftEvidence): Standing {
  const { derived, rulings, recorded } = evidence;
  const misfit = draftMisfit(evidence);
  if (misfit !== undefined) {
    return refused(evidence, "the record does not fit its evidence", {
      text: `${misfit}.`,
      command: `signoff draft ${shellWord(evidence.brief)} --recipe ${evidence.recipe} --new`,
    });
  }
  const ruling = lastRuling(rulings);
  if (ruling !== undefined) return ruledStanding(evidence, ruling);
  const approve = `signoff runs approve ${evidence.runId}`;
  if (derived.kind === "older-rule") {
    const isApproved = isObject(recorded.decision) && recorded.decision.outcome === "converged";
    return refused(
      evidence,
      `${isApproved ? "approved" : "not approved"} under rule ${derived.rule}`,
      {
        text: `Today's rule is rule ${decisionRule}; a person may approve the text.`,
        command: approve,
      },
    );
  }
  const decision = derived.kind === "derived" ? derived.decision : undefined;
  if (decision?.outcome === "converged") {
    const why = `writer and reviewer signed in turn ${decision.finalIteration}`;
    return accepted(evidence, why, evidence.deciders);
  }
  return refused(evidence, `the loop ended without approval (${decision?.reason})`, {
    text: "A person has to decide.",
    command: approve,
  });
}

/** A draft whose loop has come to no decision yet. */
export function undecidedStanding(
  draft: Pick<DraftEvidence, "runId" | "brief"> & { readonly state: string },
): Standing {
  const text = "The loop has to come to a decision.";
  const resume = `signoff runs resume ${draft.runId}`;
  const command = draft.state === "waiting" ? "signoff inbox" : resume;
  const isMoving = draft.state === "running";
  return refused(
    draft,
    `nothing is decided yet (${draft.state})`,
    isMoving ? { text } : { text, command },
  );
}

/** What of the record does not follow from the replies; undefined if everything does. */
export function draftMisfit({ recorded, derived, rulings }: DraftEvidence): string | undefined {
  const found =
    derived.kind === "older-rule" ? undefined : firstMisfit(recorded.events, derived.events);
  if (found !== undefined) return found;
  if (derived.kind === "broken") return derived.why;
  if (derived.kind === "derived") {
    const extra = recorded.events[derived.events.length];
    if (extra !== undefined) return `The record has ${describe(extra)}, which no reply gave`;
    const decided = derived.events.at(-1)?.data;
    if (!isObject(decided) || !isPartOf(recorded.decision, decided.decision)) {
      return "The decision kept with the run does not follow from its turns";
    }
  }
  const ruling = lastRuling(rulings);
  if (ruling?.act !== "approve" || isTextOf(recorded.events, ruling.text)) return undefined;
  return `The text that ${ruling.by} approved is not a text of this run`;
}

function ruledStanding(evidence: DraftEvidence, ruling: DraftRuling): Standing {
  const { act, by, reason } = ruling;
  const because = reason === undefined ? "" : `: ${reason}`;
  if (act === "approve") return accepted(evidence, `${by} approved it${because}`, ["person"]);
  const did = act === "edit" ? "replaced the text" : "requested changes";
  return refused(evidence, `${by} ${did}${because}`, {
    text: "The run that continues it has to be approved.",
    command: "signoff runs list",
  });
}

function accepted(
  { runId, brief }: DraftEvidence,
  why: string,
  deciders: readonly Decider[],
): Standing {
  const about = { kind: "draft", name: runId, why: `“${short(brief)}”: ${why}` } as const;
  return { ...about, accepted: true, support: "proven", deciders };
}

function refused(
  { runId, brief }: Pick<DraftEvidence, "runId" | "brief">,
  why: string,
  missing: MissingEvidence,
): Standing {
  const about = { kind: "draft", name: runId, why: `“${short(brief)}”: ${why}` } as const;
  return { ...about, accepted: false, missing: [missing] };
}

const longestBrief = 60;

function short(brief: string): string {
  const characters = [...brief.replace(/\s+/gu, " ")];
  return characters.length <= longestBrief
    ? characters.join("")
    : `${characters.slice(0, longestBrief - 1).join("")}…`;
}

function firstMisfit(
  recorded: readonly LoopFact[],
  derived: readonly LoopFact[],
): string | undefined {
  for (const [at, event] of derived.entries()) {
    const found = recorded[at];
    if (found?.kind !== event.kind) return `The record lacks ${describe(event)}`;
    if (!isPartOf(found.data, event.data)) {
      return `${capitalised(describe(found))} does not follow from the recorded replies`;
    }
  }
  return undefined;
}

function describe({ kind, data }: LoopFact): string {
  const { turn, iteration, review } = (isObject(data) ? data : {}) as {
    readonly turn?: Json;
    readonly iteration?: { readonly iteration?: Json };
    readonly review?: { readonly reviewer?: Json };
  };
  switch (kind) {
    case "loop-started":
      return "the recorded start";
    case "candidate-written":
      return `the text of turn ${turn}`;
    case "review-received":
      return `the review of turn ${turn} by ${review?.reviewer ?? "the reviewer"}`;
    case "iteration-recorded":
      return `the result of turn ${iteration?.iteration}`;
    case "loop-decided":
      return "the decision";
    default:
      return `the event ${kind}`;
  }
}

/** Whether all that was recorded is still said. Members that only newer versions write do not count against a record. */
function isPartOf(recorded: Json | undefined, derived: Json | undefined): boolean {
  if (isArray(recorded) && isArray(derived)) {
    return (
      recorded.length === derived.length &&
      recorded.every((one, index) => isPartOf(one, derived[index]))
    );
  }
  if (isObject(recorded) && isObject(derived)) {
    return Object.entries(recorded).every(([name, value]) => isPartOf(value, derived[name]));
  }
  return recorded === derived;
}

function isTextOf(events: readonly LoopFact[], text: string | undefined): boolean {
  return events.some(({ kind, data }) => {
    const { iteration } = data as { readonly iteration?: { readonly candidate?: Json } };
    const candidate = kind === "iteration-recorded" ? iteration?.candidate : undefined;
    return isObject(candidate) && candidate.content === text;
  });
}
