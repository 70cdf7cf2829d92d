import type { PairExplanation } from "../../orchestration/gates/explain-pair.ts";
import type { NotesStatus, StalePair } from "../../orchestration/gates/status-report.ts";
import { renderCost, renderCount } from "../shell/amounts.ts";
import { type Layout, layOut, type Span } from "../shell/lay-out.ts";
import type { Style } from "../shell/palette.ts";

export interface StatusHow {
  readonly all: boolean;
  readonly patches: ReadonlyMap<string, string>;
  readonly money?: { readonly low: number; readonly high: number };
}

const mostNotes = 20;

const styles: { readonly [reason in StalePair["reason"]]: Style } = {
  "missing-review": "caution",
  "gate-changed": "accent",
  "note-changed": "accent",
  undecided: "bad",
};

/** Stale pairs by note, the sums, what it would cost, and the command to type next. */
export function renderStatus(
  status: NotesStatus,
  layout: Layout,
  how: StatusHow,
): readonly string[] {
  const byNote = groupedByNote(status.stale);
  const shown = how.all ? [...byNote] : [...byNote].slice(0, mostNotes);
  const more = byNote.size - shown.length;
  return [
    ...shown.flatMap(([note, pairs]) => renderNote(note, pairs, { layout, how })),
    ...(more > 0
      ? layOut(
          [{ text: `… and ${renderCount(more, "note")} more (--all shows them)`, style: "muted" }],
          layout,
        )
      : []),
    ...(shown.length > 0 ? [""] : []),
    ...renderProblems(status, layout),
    ...renderSums(status, layout, how),
  ];
}

function renderNote(
  note: string,
  pairs: readonly StalePair[],
  { layout, how }: { readonly layout: Layout; readonly how: StatusHow },
): readonly string[] {
  const patch = how.patches.get(note);
  const several = new Set(pairs.map(({ model }) => model)).size > 1;
  return [
    ...layOut([{ text: note, style: "strong" }], layout),
    ...pairs.flatMap((pair) => {
      const { gate, model, reason, trivial, undecidedTimes } = pair;
      const times = undecidedTimes === undefined ? "" : ` ${undecidedTimes}×`;
      const spans: readonly Span[] = [
        { text: gate },
        ...(several ? [{ text: ` (${model})`, style: "muted" } as const] : []),
        ...(trivial ? [{ text: "  trivial", style: "muted" } as const] : []),
      ];
      const lead: Span = { text: `  ${(reason + times).padEnd(15)} `, style: styles[reason] };
      return layOut(spans, layout, [lead]);
    }),
    ...(patch === undefined
      ? []
      : layOut([{ text: patch, style: "muted" }], layout, [{ text: "  " }])),
  ];
}

function renderProblems(status: NotesStatus, layout: Layout): readonly string[] {
  const lines = [
    ...status.problems.map(({ path, message }) => `${path}: ${message}`),
    ...status.skipped.map(({ path, reason }) => `${path}: not read (${reason})`),
  ];
  return lines.flatMap((text) => layOut([{ text }], layout, [{ text: "! ", style: "bad" }]));
}

function renderSums(status: NotesStatus, layout: Layout, how: StatusHow): readonly string[] {
  const { pairs, notes, gates, fresh, counts, trivial, stale, cost, models } = status;
  const scope = `${renderCount(notes, "note")} × ${renderCount(gates, "gate")}, ${renderCount(pairs, "pair")} that apply (${models.join(", ")})`;
  if (pairs === 0) {
    const next = gates === 0 ? " `signoff notes init` writes gates to start with." : "";
    return layOut([{ text: `Nothing to review: ${scope}.${next}` }], layout);
  }
  const freshCount = pairs - stale.length;
  const good = `${renderCount(freshCount, "pair")} fresh (${fresh.pass} pass, ${fresh.warn} warn, ${fresh.fail} fail)`;
  const sums = layOut([{ text: `${scope}\n` }, { text: good, style: "good" }], layout);
  if (stale.length === 0) {
    const next = fresh.warn + fresh.fail > 0 ? " See `signoff notes warns` for the work list." : "";
    return [...sums, ...layOut([{ text: `Nothing is stale.${next}`, style: "good" }], layout)];
  }
  const reasons = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([reason, count]) => `${count} ${reason}`)
    .join(", ");
  const apart =
    trivial > 0 ? `; ${trivial} of them trivial (review acknowledges those without asking)` : "";
  const money = how.money === undefined ? "cost unknown" : renderCost(how.money.high, models);
  const price = `Reviewing takes ${renderCount(cost.calls, "call")}, ${cost.inputTokens.low}–${cost.inputTokens.high} tokens in, ${money}.`;
  return [
    ...sums,
    ...layOut(
      [
        {
          text: `${renderCount(stale.length, "pair")} stale: ${reasons}${apart}`,
          style: "caution",
        },
      ],
      layout,
    ),
    ...layOut([{ text: price, style: "muted" }], layout),
    ...layOut([{ text: "Next: " }, { text: "signoff notes review", style: "accent" }], layout),
  ];
}

export function renderExplanations(
  explained: readonly PairExplanation[],
  layout: Layout,
): readonly string[] {
  return explained.flatMap(({ note, gate, model, sentence, from }) => [
    ...layOut(
      [
        { text: `${note}:${gate}`, style: "strong" },
        { text: ` (${model})`, style: "muted" },
      ],
      layout,
    ),
    ...layOut(
      [{ text: from === undefined ? sentence : `${sentence} (known from the ${from})` }],
      layout,
      [{ text: "  " }],
    ),
  ]);
}

function groupedByNote(pairs: readonly StalePair[]): ReadonlyMap<string, readonly StalePair[]> {
  const groups = new Map<string, StalePair[]>();
  for (const pair of pairs) {
    const group = groups.get(pair.note);
    if (group === undefined) groups.set(pair.note, [pair]);
    else group.push(pair);
  }
  return groups;
}
