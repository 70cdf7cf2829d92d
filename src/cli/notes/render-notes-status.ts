import { panelFlag } from "../../domain/gates/panel-vote.ts";
import { visibleLine } from "../../domain/values/visible.ts";
import type { PairExplanation } from "../../orchestration/gates/explain-pair.ts";
import type { NotesStatus, StalePair } from "../../orchestration/gates/status-report.ts";
import { renderCost, renderCount } from "../shell/amounts.ts";
import type { Line } from "../shell/lay-out.ts";
import type { Style } from "../shell/palette.ts";
import { accent, bad, caution, good, muted, strong } from "../shell/styles.ts";

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
export function statusLines(status: NotesStatus, how: StatusHow): readonly Line[] {
  const byNote = groupedByNote(status.stale);
  const shown = [...byNote].slice(0, how.all ? byNote.size : mostNotes);
  const more = byNote.size - shown.length;
  const { problems, skipped } = status;
  return [
    ...shown.flatMap(([note, pairs]) => noteLines(note, pairs, how)),
    more > 0 && muted(`… and ${renderCount(more, "note")} more (--all shows them)`),
    shown.length > 0 && "",
    ...problems.map(({ path, message }) => problemLine(`${visibleLine(path)}: ${message}`)),
    ...skipped.map(({ path, reason }) => problemLine(`${visibleLine(path)}: not read (${reason})`)),
    ...sumLines(status, how),
  ];
}

function noteLines(note: string, pairs: readonly StalePair[], how: StatusHow): readonly Line[] {
  const patch = how.patches.get(note);
  const several = new Set(pairs.map(({ model }) => model)).size > 1;
  return [
    strong(note),
    ...pairs.map(({ gate, model, reason, undecidedTimes }) => {
      const times = undecidedTimes === undefined ? "" : ` ${undecidedTimes}×`;
      return {
        lead: [{ text: `  ${(reason + times).padEnd(15)} `, style: styles[reason] }],
        spans: [gate, several && muted(` (${model})`)],
      };
    }),
    patch !== undefined && { lead: ["  "], spans: [muted(patch)] },
  ];
}

function problemLine(text: string): Line {
  return { lead: [bad("! ")], spans: [text] };
}

function sumLines(status: NotesStatus, how: StatusHow): readonly Line[] {
  const { pairs, notes, gates, fresh, counts, stale, cost, models } = status;
  const scope = `${renderCount(notes, "note")} × ${renderCount(gates, "gate")}, ${renderCount(pairs, "pair")} that apply (${models.join(", ")})`;
  if (pairs === 0) {
    const next = gates === 0 ? " `signoff notes init` installs starter gates." : "";
    return [`Nothing to review: ${scope}.${next}`];
  }
  const freshPairs = `${renderCount(pairs - stale.length, "pair")} fresh (${fresh.pass} pass, ${fresh.warn} warn, ${fresh.fail} fail)`;
  const sums: readonly Line[] = [scope, good(freshPairs), ...besideFresh(status)];
  if (stale.length === 0) {
    const next = fresh.warn + fresh.fail > 0 ? " See `signoff notes warns` for the work list." : "";
    return [...sums, good(`Nothing is stale.${next}`)];
  }
  const reasons = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([reason, count]) => `${count} ${reason}`)
    .join(", ");
  const money = how.money === undefined ? "cost unknown" : renderCost(how.money.high, models);
  return [
    ...sums,
    caution(`${renderCount(stale.length, "pair")} stale: ${reasons}`),
    muted(
      `Reviewing takes ${renderCount(cost.calls, "call")}, ${cost.inputTokens.low}–${cost.inputTokens.high} tokens in, ${money}.`,
    ),
    ["Next: ", accent(`signoff notes review${panelFlag(models[0] ?? "")}`)],
  ];
}

/** What else there is to say about fresh pairs. */
function besideFresh({ trivial, ruled, attested }: NotesStatus): readonly Line[] {
  const { dismissed, overridden, acknowledged } = ruled;
  const rulings = [
    ...(dismissed > 0 ? [`${dismissed} with dismissed findings`] : []),
    ...(overridden > 0 ? [`${overridden} overridden`] : []),
    ...(acknowledged > 0 ? [`${acknowledged} acknowledged`] : []),
  ];
  return [
    trivial > 0 && muted(`${trivial} of them changed only where no gate looks`),
    rulings.length > 0 && muted(`Rulings: ${rulings.join(", ")}`),
    attested && muted("Attested by the lock alone: there is no store here."),
  ];
}

export function explanationLines(explained: readonly PairExplanation[]): readonly Line[] {
  return explained.flatMap(({ note, gate, model, sentence, from }): readonly Line[] => [
    [strong(`${note}:${gate}`), muted(` (${model})`)],
    { lead: ["  "], spans: [sentence, from && ` (known from the ${from})`] },
  ]);
}

function groupedByNote(pairs: readonly StalePair[]): ReadonlyMap<string, readonly StalePair[]> {
  const groups = new Map<string, readonly StalePair[]>();
  for (const pair of pairs) groups.set(pair.note, [...(groups.get(pair.note) ?? []), pair]);
  return groups;
}
