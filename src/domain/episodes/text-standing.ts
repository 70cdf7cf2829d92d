import { decideLoop, isLocked } from "../drafting/decision.ts";
import { personReviewer } from "../drafting/issue-ledger.ts";
import {
  decidePanel,
  describeVote,
  type PanelDecision,
  type PanelRule,
  type PanelVote,
} from "../drafting/panel.ts";
import type { ProvenanceRef } from "../drafting/provenance.ts";
import { decidersOf } from "../evidence/decider-of.ts";
import type { Decider, MissingEvidence, Standing, Support } from "../evidence/standing.ts";
import { defined } from "../values/defined.ts";
import type { Freshness } from "./derived-files.ts";
import { extensionOf, layout } from "./layout.ts";
import type { LoopAct } from "./loop-ledger.ts";
import type { ProtocolState } from "./protocol-state.ts";
import type { SelectionRecord } from "./selection-record.ts";

/** Where a text of an episode is on its way. Exactly one applies, and `signed` and `picked` are the accepted ones. */
export type TextState =
  | "not_started"
  | "drafted"
  | "in_review"
  | "needs_human"
  | "signed"
  | "picked"
  /** Signed or picked, but an input has changed since. */
  | "stale"
  /** The selected file holds another text than the one that was selected. */
  | "edited"
  /** Selected, but neither the loop nor a recorded act of a person accounts for it. */
  | "unsigned"
  /** Accepted once, but files that prove it are gone or contradict each other. */
  | "evidence_missing";

/** The words for a state, the same wherever it is shown. */
export const textStateWords: { readonly [state in TextState]: string } = {
  not_started: "not started",
  drafted: "drafted",
  in_review: "in review",
  needs_human: "needs a person",
  signed: "signed",
  picked: "picked by a person",
  stale: "stale",
  edited: "edited, unsigned",
  unsigned: "unsigned",
  evidence_missing: "evidence missing",
};

/** How a file or record compares with what the protocol, or the selection, says it holds. */
export type Comparison = "same" | "changed" | "gone";

/** What is at hand about one text of an episode. */
export interface TextEvidence {
  readonly assetId: string;
  readonly candidates: number;
  /** The file under `copy/selected/`; `fits` where it holds the text that its record, or else its candidate, names. */
  readonly selected?: {
    readonly path: string;
    readonly fits: boolean;
    /** The HTML beside a selected markdown text, where it is not what the text renders to. */
    readonly otherHtml?: string;
  };
  readonly record?: SelectionRecord;
  /** The candidate that was selected, and its file; `changed` where it no longer holds the selected text. */
  readonly chosen?: { readonly candidateId: string; readonly file: Comparison };
  readonly protocol?: ProtocolState;
  /** The files that repeat the protocol's iterations: candidates, reviews and envelopes. */
  readonly files: readonly { readonly path: string; readonly is: Comparison }[];
  /** Each iteration against the record of the run that made it; `gone` where this project has no such record. */
  readonly recorded: readonly { readonly iteration: number; readonly is: Comparison }[];
  /** How the members of a panel judged the last text, by their own reviews. */
  readonly panel?: { readonly rule: PanelRule; readonly votes: readonly PanelVote[] };
  readonly acts: readonly LoopAct[];
  /** A person unlocked exactly the selected text, so that the loop may change it. */
  readonly isLetGo: boolean;
  /** Of the selected candidate. */
  readonly freshness: Freshness;
  /** A file that all this rests on and that cannot be read. */
  readonly unreadable?: string;
}

/** The state of a text, derived from its evidence. Commands lack the program's name and the workspace. */
export interface TextStanding {
  readonly state: TextState;
  /** One sentence without its full stop. */
  readonly why: string;
  /** Of an accepted text. */
  readonly support?: Support;
  /** How a panel voted on the last text. */
  readonly vote?: PanelDecision;
  /** Who decided about the text last; empty where no one did or no file says so. */
  readonly deciders: readonly Decider[];
  /** What keeps it from being accepted. */
  readonly missing: readonly MissingEvidence[];
}

export function isAccepted({ state }: Pick<TextStanding, "state">): boolean {
  return state === "signed" || state === "picked";
}

/** As `signoff verify` lists it; `typed` turns a command into one that works where that was typed. */
export function standingOf(
  name: string,
  { state, why, support, deciders, missing }: TextStanding,
  typed: (command: string) => string,
): Standing {
  const about = { kind: "episode-text", name } as const;
  if (support !== undefined) return { ...about, accepted: true, why, support, deciders };
  return {
    ...about,
    accepted: false,
    why: textStateWords[state],
    missing: missing.map(({ text, command }) => ({
      text,
      ...(command === undefined ? {} : { command: typed(command) }),
    })),
  };
}

/**
 * The one rule for accepting a text: its file, candidate, reviews and protocol fit together and the loop's rule over the
 * stored iterations says so, or a person's recorded act does. A record alone proves nothing.
 */
export function deriveText(evidence: TextEvidence): TextStanding {
  const { assetId, freshness, panel } = evidence;
  const vote = panel && decidePanel(panel.votes, panel.rule);
  const standing = { ...derive(evidence, vote), ...defined({ vote }) };
  if (!isAccepted(standing) || freshness.kind !== "stale") return standing;
  const { support: _, ...rest } = standing;
  const again = standing.state === "picked" ? adopt(assetId) : restart(assetId, freshness.because);
  const text = `It was ${textStateWords[standing.state]}, but ${freshness.because}.`;
  return { ...rest, state: "stale", why: freshness.because, missing: [{ text, command: again }] };
}

function derive(evidence: TextEvidence, vote: PanelDecision | undefined): TextStanding {
  const { assetId, selected, record, protocol, unreadable } = evidence;
  if (unreadable !== undefined) {
    const why = `${unreadable} cannot be read`;
    return open("evidence_missing", why, [], [{ text: sentence(why), command: "doctor" }]);
  }
  const isSigned = protocol?.decision?.outcome === "converged" && isLocked(protocol.decision);
  if (selected === undefined) {
    return record === undefined && !isSigned ? loopStanding(evidence, vote) : gone(evidence);
  }
  if (!selected.fits) {
    const why =
      record === undefined
        ? `${selected.path} holds a text of unknown origin`
        : `${selected.path} was changed after it was selected`;
    return open("edited", why, [], [{ text: sentence(why), command: adopt(assetId) }]);
  }
  if (selected.otherHtml !== undefined) {
    const why = `${selected.otherHtml} was changed and no longer shows ${selected.path}`;
    return open("edited", why, [], [{ text: sentence(why), command: "doctor --repair" }]);
  }
  if (record?.madeBy === "person" && !evidence.isLetGo) return pickStanding(evidence, record);
  return loopStanding(evidence, vote);
}

function gone({ assetId, record, chosen, protocol }: TextEvidence): TextStanding {
  const path =
    record === undefined
      ? `copy/selected/${assetId}`
      : layout.selected(assetId, extensionOf(record.format));
  const candidateId = chosen?.candidateId ?? protocol?.iterations.at(-1)?.candidate.candidateId;
  const command =
    candidateId === undefined || chosen?.file === "gone"
      ? restart(assetId, "the selected text is gone")
      : `episode pick --asset-id ${assetId} --candidate-id ${candidateId}`;
  const why = `the selected text ${path} is gone`;
  return open("evidence_missing", why, [], [{ text: sentence(why), command }]);
}

function pickStanding(evidence: TextEvidence, record: SelectionRecord): TextStanding {
  const { assetId, chosen, acts } = evidence;
  const deciders = ["person"] as const;
  if (record.candidateId === undefined) {
    const why = "it was picked from a candidate that had been edited";
    return open("unsigned", why, deciders, [{ text: sentence(why), command: adopt(assetId) }]);
  }
  const act = acts.find(
    ({ kind, by, at, textSha256 = record.sha256 }) =>
      (kind === "pick" || kind === "adopt") &&
      by === record.by &&
      at === record.at &&
      textSha256 === record.sha256,
  );
  const faults = [
    ...(act === undefined
      ? [`${layout.ledger(assetId)} records no choice of this text by ${record.by}`]
      : []),
    ...(chosen === undefined || chosen.file === "same"
      ? []
      : [`${layout.candidate(assetId, chosen.candidateId, "json")} ${happened(chosen.file)}`]),
  ];
  if (faults.length > 0) {
    return open("evidence_missing", faults.join("; "), deciders, mendedBy(adopt(assetId), faults));
  }
  const why = `${act?.kind === "adopt" ? "adopted" : "picked"} by ${record.by}`;
  return { state: "picked", why, support: "proven", deciders, missing: [] };
}

function loopStanding(evidence: TextEvidence, vote: PanelDecision | undefined): TextStanding {
  const { assetId, candidates, protocol, selected, record } = evidence;
  const deciders = lastDeciders(protocol);
  if (protocol === undefined) {
    const act = evidence.acts.at(-1);
    if (act?.kind === "restart" || act?.kind === "unlock") {
      return open("in_review", `${act.by} let the loop continue`, [], [toReview(assetId)]);
    }
    if (record !== undefined) return lost(evidence, [`${layout.protocolState(assetId)} is gone`]);
    if (selected !== undefined) return unsigned(evidence);
    return candidates > 0
      ? open("drafted", "drafted and not reviewed", [], [toReview(assetId)])
      : open("not_started", "no candidate yet", [], [toReview(assetId)]);
  }
  const { decision } = protocol;
  if (!isLocked(decision))
    return open("in_review", "its loop has not ended", deciders, [toReview(assetId)]);
  if (decision.outcome === "needs_human") {
    const why = `the loop ended without both signatures (${decision.reason ?? "no reason given"})`;
    const command = `episode pick --asset-id ${assetId}`;
    return open("needs_human", why, deciders, [{ text: sentence(why), command }]);
  }
  return signedStanding(evidence, protocol, vote);
}

function signedStanding(
  evidence: TextEvidence,
  protocol: ProtocolState,
  vote: PanelDecision | undefined,
): TextStanding {
  const { record, chosen, files, recorded } = evidence;
  const last = protocol.iterations.at(-1);
  const isOwn = chosen !== undefined && chosen.candidateId === last?.candidate.candidateId;
  if (record === undefined && !isOwn) return unsigned(evidence);
  const faults = [
    ...ruleFaults(protocol),
    ...(vote === undefined || vote.verdict === "ok"
      ? []
      : [`the panel did not approve (${describeVote(vote)})`]),
    ...(isOwn ? [] : ["the selected candidate is not the one that the loop ended with"]),
    ...files.filter(({ is }) => is !== "same").map(({ path, is }) => `${path} ${happened(is)}`),
    ...recorded
      .filter(({ is }) => is === "changed")
      .map(({ iteration }) => `turn ${iteration} is not what its run recorded`),
  ];
  if (faults.length > 0) return lost(evidence, faults);
  const isProven = recorded.length > 0 && recorded.every(({ is }) => is === "same");
  const signed = `both sides signed in turn ${last?.iteration}`;
  return {
    state: "signed",
    why: isProven ? signed : `${signed}; this project has no record of the run`,
    support: isProven ? "proven" : "attested",
    deciders: lastDeciders(protocol),
    missing: [],
  };
}

/** What the loop's own rule says against a protocol that claims to have converged. */
function ruleFaults({ iterations, maxIterations, decision }: ProtocolState): readonly string[] {
  const last = iterations.at(-1);
  if (last === undefined) return ["the protocol has a decision but no turn"];
  const { iteration, review, creatorDone } = last;
  const derived = decideLoop({
    ...{ verdict: review.verdict, done: creatorDone, iteration, maxIterations },
  });
  if (derived?.outcome !== "converged") {
    const writer = creatorDone ? "is done" : "is not done";
    return [`in turn ${iteration} the verdict is ${review.verdict} and the writer ${writer}`];
  }
  return decision?.finalIteration === iteration
    ? []
    : [
        `the decision is about turn ${decision?.finalIteration ?? "?"}, the last one is ${iteration}`,
      ];
}

/** The models that runs name in their provenance. */
export function modelsIn(provenance: readonly ProvenanceRef[]): readonly string[] {
  return provenance.flatMap(({ kind, metadata }) =>
    kind === "run" && typeof metadata.model === "string" ? [metadata.model] : [],
  );
}

/** Who wrote and who judged the last text. */
function lastDeciders(protocol: ProtocolState | undefined): readonly Decider[] {
  const last = protocol?.iterations.at(-1);
  const made = [...(last?.candidate.provenance ?? []), ...(last?.review.provenance ?? [])];
  const isByPerson = made.some(({ kind }) => kind === "person");
  const asked = modelsIn(made).filter((model) => model !== personReviewer);
  return [...(isByPerson ? (["person"] as const) : []), ...decidersOf(asked)];
}

function lost(evidence: TextEvidence, faults: readonly string[]): TextStanding {
  const missing = mendedBy(restart(evidence.assetId, "evidence is missing"), faults);
  return open("evidence_missing", faults.join("; "), lastDeciders(evidence.protocol), missing);
}

/** One command mends all of it, so only the last one names it. */
function mendedBy(command: string, faults: readonly string[]): readonly MissingEvidence[] {
  const last = faults.length - 1;
  return faults.map((text, at) => ({ text: sentence(text), ...(at === last ? { command } : {}) }));
}

function unsigned({ assetId }: TextEvidence): TextStanding {
  const why = "no loop and no recorded act of a person selected it";
  return open("unsigned", why, [], [{ text: sentence(why), command: adopt(assetId) }]);
}

function open(
  state: TextState,
  why: string,
  deciders: readonly Decider[],
  missing: readonly MissingEvidence[],
): TextStanding {
  return { state, why, deciders, missing };
}

function toReview(assetId: string): MissingEvidence {
  return { text: "It is not signed yet.", command: `episode review --asset-id ${assetId}` };
}

function adopt(assetId: string): string {
  return `episode adopt --asset-id ${assetId}`;
}

function restart(assetId: string, reason: string): string {
  return `episode review --asset-id ${assetId} --restart --reason "${reason}"`;
}

function happened(is: Comparison): string {
  return is === "gone" ? "is gone" : "was changed";
}

/** A path at the start stays as it is. */
function sentence(text: string): string {
  const start = /^[a-z]+ /u.test(text) ? text.charAt(0).toUpperCase() : text.charAt(0);
  return `${start}${text.slice(1)}.`;
}
