import type { Decider } from "../../domain/evidence/standing.ts";
import {
  describeRun,
  type RunResult,
  type ShownRunState,
  stateWords,
  type Tone,
} from "../../domain/runs/run-words.ts";
import { compareText } from "../../domain/values/compare-text.ts";
import type { Instant } from "../../domain/values/instant.ts";
import { renderAge } from "../shell/amounts.ts";
import { renderColumns } from "../shell/columns.ts";
import { copyable } from "../shell/copyable-command.ts";
import { type Layout, layOut, type Span } from "../shell/lay-out.ts";
import type { Style } from "../shell/palette.ts";
import { stripToLine } from "../shell/strip-control.ts";
import { accent, muted } from "../shell/styles.ts";

export interface RunRow {
  readonly runId: string;
  readonly kind: string;
  readonly state: ShownRunState;
  /** What became of a finished draft or run of questions. */
  readonly outcome?: RunResult;
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
        copyable('signoff draft "what it is about"'),
        ", or look at ",
        copyable("signoff demo"),
        ".",
      ],
      layout,
    );
  }
  const newestFirst = rows.toSorted((left, right) => compareText(right.updatedAt, left.updatedAt));
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

const styles: { readonly [tone in Tone]: Style } = {
  good: "good",
  bad: "bad",
  wait: "caution",
  busy: "accent",
  plain: "muted",
};

function stateSpan({ deciders = [], ...run }: RunRow): Span {
  const mark = run.state === "finished" && run.ruledBy === undefined ? markOf(deciders) : undefined;
  const text = stateWords(run, ...(mark === undefined ? [] : [mark]));
  return { text: stripToLine(text), style: styles[describeRun(run).tone] };
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
