import { decisionRule } from "../../domain/drafting/decision.ts";
import type { DraftOutcome } from "../../domain/drafting/draft-outcome.ts";
import type { Decider } from "../../domain/evidence/standing.ts";
import { isRunOutcome, RUN_OUTCOMES, type RunOutcome } from "../../domain/scenarios/run-outcome.ts";
import type { Instant } from "../../domain/values/instant.ts";
import type { RunState } from "../../ports/run-store.ts";
import { renderAge } from "../shell/amounts.ts";
import { renderColumns } from "../shell/columns.ts";
import { type Layout, layOut, type Span } from "../shell/lay-out.ts";
import type { Style } from "../shell/palette.ts";
import { stripToLine } from "../shell/strip-control.ts";
import { accent, muted } from "../shell/styles.ts";

export interface RunRow {
  readonly runId: string;
  readonly kind: string;
  /** `interrupted`: it should be running, but no process holds it. */
  readonly state: RunState | "interrupted";
  /** What became of a finished draft or run of questions. */
  readonly outcome?: DraftOutcome | RunOutcome;
  readonly ruledBy?: string;
  readonly rule?: number;
  readonly deciders?: readonly Decider[];
  /** What it is about, in a line. */
  readonly title: string;
  readonly updatedAt: Instant;
}

/** Newest first, one line each; the title is cut to the rest of the line. */
export function renderRunsTable(
  rows: readonly RunRow[],
  now: Instant,
  layout: Layout,
): readonly string[] {
  if (rows.length === 0) {
    return layOut(
      [
        "No runs yet. Start one with ",
        accent('signoff draft "what it is about"'),
        ", or look at ",
        accent("signoff demo"),
        ".",
      ],
      layout,
    );
  }
  const newestFirst = rows.toSorted((left, right) => compare(right.updatedAt, left.updatedAt));
  const idLength = shortestUnique(rows.map(({ runId }) => runId));
  const table = newestFirst.map((row): readonly Span[] => [
    accent(row.runId.slice(0, idLength)),
    stateSpan(row),
    { text: row.kind },
    muted(renderAge(row.updatedAt, now)),
    { text: row.title.slice(0, 1_000) },
  ]);
  const head = ["run", "state", "kind", "changed", "about"].map(muted);
  return renderColumns([head, ...table], layout, { cutsLast: true });
}

const stateStyles: { readonly [state in RunRow["state"]]: Style } = {
  queued: "muted",
  running: "accent",
  waiting: "caution",
  finished: "good",
  stopped: "caution",
  interrupted: "caution",
  failed: "bad",
  cancelled: "muted",
};

/** In words, and in brackets why. */
const outcomeWords: { readonly [outcome in DraftOutcome]: readonly [string, string?] } = {
  approved: ["approved"],
  changes_requested: ["changes requested"],
  edited: ["edited"],
  max_turns: ["not approved", "limit"],
  stalled: ["not approved", "stalled"],
  oscillating: ["not approved", "in circles"],
  late_issues: ["not approved", "late issues"],
  budget: ["budget reached"],
  cancelled: ["cancelled"],
  interrupted: ["interrupted"],
  error: ["failed"],
};

function stateSpan({ state, outcome, ruledBy, rule, deciders = [] }: RunRow): Span {
  const mark = markOf(deciders);
  if (state !== "finished" || outcome === undefined) {
    const by = state === "finished" && mark !== undefined ? ` (${mark})` : "";
    return { text: `${state}${by}`, style: stateStyles[state] };
  }
  const [words, why] = isRunOutcome(outcome)
    ? [RUN_OUTCOMES[outcome].words]
    : outcomeWords[outcome];
  const style = outcome === "approved" || outcome === "accepted" ? "good" : "caution";
  if (ruledBy !== undefined) return { text: `${words} by ${stripToLine(ruledBy)}`, style };
  const isOld = rule !== undefined && rule < decisionRule;
  const remarks = [why, mark].filter((part) => part !== undefined);
  const text = [
    words,
    isOld ? ` under rule ${rule}` : "",
    remarks.length === 0 ? "" : ` (${remarks.join(", ")})`,
  ].join("");
  return { text, style: isOld ? "caution" : style };
}

/** What a reader must not take for a model. */
function markOf(deciders: readonly Decider[]): string | undefined {
  if (deciders.includes("stand_in")) return "stand-ins";
  return deciders.includes("scripted") ? "script" : undefined;
}

/** The shortest prefix length that is unique among these runs. */
function shortestUnique(ids: readonly string[]): number {
  const distinct = new Set(ids);
  for (let length = 8; length < 36; length += 1) {
    if (new Set([...distinct].map((id) => id.slice(0, length))).size === distinct.size)
      return length;
  }
  return 36;
}

function compare(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
