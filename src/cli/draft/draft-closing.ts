import { decisionRule } from "../../domain/drafting/decision.ts";
import type { CompletionReason, DraftRuling } from "../../domain/drafting/draft-outcome.ts";
import { type DraftSession, isReviewOnly, succeeded } from "../../domain/drafting/session.ts";
import { notByModel } from "../../domain/evidence/standing.ts";
import { secondsBetween } from "../../domain/values/instant.ts";
import type { Budget, Ending } from "../../ports/flow.ts";
import { renderCount, renderDuration, renderUsage } from "../shell/amounts.ts";
import { commandRows, raisedBudget } from "../shell/copyable-command.ts";
import { type Inline, type Layout, layOut, layOutLines } from "../shell/lay-out.ts";
import type { Style } from "../shell/palette.ts";
import { renderStoredError } from "../shell/render-error.ts";
import { row } from "../shell/row.ts";
import { caution, muted, strongText } from "../shell/styles.ts";
import type { Verbosity } from "./draft-turn.ts";

export interface Closing {
  readonly session: DraftSession;
  /** How this execution ended; absent for a run that is read from the record. */
  readonly ending?: Ending;
  /** Where the record can be read. */
  readonly record?: string;
  /** The run's limit, if it has one. */
  readonly budget?: Budget;
  readonly verbosity: Verbosity;
  /** Nothing was kept. */
  readonly isTrial?: boolean;
  /** The run is already being shown, so showing it is not suggested. */
  readonly isShown?: boolean;
}

/** How a draft ended, the text, what it took, where the proof is, what to type next. */
export function renderClosing(closing: Closing, layout: Layout): readonly string[] {
  const { session, ending, record, verbosity } = closing;
  const lines = [...layOut(outcomeSpans(session, ending), layout)];
  if (ending?.kind === "failed") lines.push(...renderStoredError(ending.error, layout));
  lines.push(...renderFinalText(session, layout));
  if (verbosity === "quiet") return lines;
  const next = nextCommands(closing);
  const facts = [
    row("took", [tookWords(session)]),
    record !== undefined && row("record", [record]),
    ...commandRows("next", next),
  ];
  return [...lines, ...layOutLines(facts, layout)];
}

/** One sentence that also reads well without colour. It says if no model decided. */
function outcomeSpans(session: DraftSession, ending?: Ending): readonly Inline[] {
  const { words, rest, style } = outcomeOf(session, ending);
  const isDecided = session.decision !== undefined || succeeded(session);
  const by = isDecided ? notByModel(session.deciders) : undefined;
  const { rule = decisionRule } = session;
  const isOld = rule < decisionRule && session.ruling === undefined;
  return [
    { text: `${style === "good" ? "✓" : "✗"} ${words}`, style },
    isOld && caution(` under rule ${rule}`),
    `: ${rest}`,
    by && caution(`; ${by}`),
    ".",
  ];
}

interface OutcomeWords {
  readonly words: string;
  readonly rest: string;
  readonly style: Style;
}

/** Endings that are no decision of the loop. */
const undecidedReasons = ["cancelled", "interrupted", "budget", "error"] as const;
type Undecided = (typeof undecidedReasons)[number];

function isUndecided(reason: CompletionReason | undefined): reason is Undecided | undefined {
  return reason === undefined || (undecidedReasons as readonly string[]).includes(reason);
}

/** Only an approval may read like one; limit, stop rule and budget must not. */
const decided: {
  readonly [reason in Exclude<CompletionReason, Undecided>]: (turns: string) => OutcomeWords;
} = {
  approved: (turns) => ({
    words: `Approved after ${turns}`,
    rest: "writer and reviewer both signed",
    style: "good",
  }),
  max_turns: (turns) => ({
    words: "Limit reached without approval",
    rest: `the two sides still disagree after ${turns}`,
    style: "caution",
  }),
  stalled: () => ({
    words: "Stalled without approval",
    rest: "the last two drafts are nearly the same",
    style: "caution",
  }),
  oscillating: () => ({
    words: "Going in circles without approval",
    rest: "the writer returned to an earlier draft",
    style: "caution",
  }),
  late_issues: () => ({
    words: "Ended without approval",
    rest: "the reviewer keeps finding new errors in unchanged text",
    style: "caution",
  }),
};

/** What a person decided, which counts before the loop's own ending. */
const ruled: { readonly [act in DraftRuling["act"]]: readonly [words: string, style: Style] } = {
  approve: ["Approved", "good"],
  request_changes: ["Changes requested", "caution"],
  edit: ["Text replaced", "caution"],
};

function outcomeOf(session: DraftSession, ending: Ending | undefined): OutcomeWords {
  const turns = renderCount(session.turns.length, "turn");
  const { completionReason: reason, ruling } = session;
  if (ruling !== undefined) {
    const [words, style] = ruled[ruling.act];
    const rest = (ruling.reason ?? "no reason given").replace(/\.$/u, "");
    return { words: `${words} by ${ruling.by}`, rest, style };
  }
  if (isUndecided(reason)) {
    return undecided(stopOf(reason, ending), `${turns} kept`);
  }
  if (reason === "max_turns" && isReviewOnly(session)) {
    return { words: "Not approved", rest: "the review asks for changes", style: "caution" };
  }
  if (reason === "approved" && isReviewOnly(session)) {
    return {
      words: "Approved as it is",
      rest: "the review found nothing to change",
      style: "good",
    };
  }
  return decided[reason](turns);
}

type Stop = "budget" | "failed" | "waiting" | "cancelled" | "definition-changed" | "interrupted";

/** How this execution ended is more precise than the session, which only records that nothing was decided. */
function stopOf(reason: CompletionReason | undefined, ending: Ending | undefined): Stop {
  if (ending?.kind === "stopped") return ending.reason;
  if (ending !== undefined && ending.kind !== "finished") return ending.kind;
  if (reason === "budget" || reason === "cancelled") return reason;
  return reason === "error" ? "failed" : "interrupted";
}

function undecided(stop: Stop, kept: string): OutcomeWords {
  const resumable = `${kept}, the run can be resumed`;
  switch (stop) {
    case "budget":
      return { words: "Budget reached, nothing decided", rest: resumable, style: "caution" };
    case "failed":
      return { words: "A call failed, nothing decided", rest: resumable, style: "bad" };
    case "waiting":
      return { words: "Waiting for a person", rest: kept, style: "caution" };
    case "cancelled":
      return { words: "Cancelled, nothing decided", rest: kept, style: "caution" };
    case "definition-changed": {
      const rest = "the prompts differ from the recorded ones";
      return { words: "Stopped, nothing decided", rest, style: "caution" };
    }
    case "interrupted":
      return { words: "Interrupted, nothing decided", rest: resumable, style: "caution" };
  }
}

function renderFinalText(session: DraftSession, layout: Layout): readonly string[] {
  if (session.finalText === undefined || isReviewOnly(session)) return [""];
  const bar = layout.palette.isPlain ? "|" : "┃";
  const approved = succeeded(session);
  const text = layOut([strongText(session.finalText)], {
    ...layout,
    width: layout.width - 4,
  });
  const painted = layout.palette.paint(approved ? "good" : "caution", bar);
  const caption = approved ? [] : layOut([muted("  The best draft so far, not approved:")], layout);
  return ["", ...caption, ...text.map((line) => `  ${painted} ${line}`.trimEnd()), ""];
}

function tookWords(session: DraftSession): string {
  const seconds =
    session.completedAt === undefined
      ? session.turns.reduce((sum, turn) => sum + turn.durationSeconds, 0)
      : secondsBetween(session.createdAt, session.completedAt);
  return [
    renderCount(session.turns.length, "turn"),
    renderDuration(seconds),
    ...renderUsage(session.usage, [session.modelName, ...session.reviewerModels]),
  ].join(" · ");
}

/** Exact commands to copy. */
function nextCommands(closing: Closing): readonly string[] {
  const { session, ending, isShown, isTrial = false, budget = {} } = closing;
  if (isTrial) return [];
  const show = `signoff runs show ${session.runId}`;
  const isPlain = succeeded(session) || session.turns.length === 0;
  const look = isPlain ? show : `${show} --why`;
  const looks = isShown === true ? [] : [look];
  const isOver = session.decision !== undefined || succeeded(session);
  if (ending?.kind === "waiting") return ["signoff inbox", ...looks];
  if (isOver || ending?.kind === "cancelled") return looks;
  const needs = ending?.kind === "stopped" ? neededBy(ending, budget) : "";
  return [`signoff runs resume ${session.runId}${needs}`, ...looks];
}

/** Without these flags a resumed run would stop at the same place. */
function neededBy(
  { reason, facts }: Extract<Ending, { readonly kind: "stopped" }>,
  budget: Budget,
): string {
  switch (reason) {
    case "budget":
      return ` --budget ${raisedBudget(budget, facts)}`;
    case "definition-changed":
      return " --accept-changes";
    case "interrupted":
      return "";
  }
}
