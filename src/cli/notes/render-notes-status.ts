import { isAskedTwice } from "../../domain/gates/pair-state.ts";
import { panelFlag } from "../../domain/gates/panel-vote.ts";
import type { PairExplanation } from "../../orchestration/gates/explain-pair.ts";
import type { NotesStatus, StalePair } from "../../orchestration/gates/status-report.ts";
import { adoptMovesCommand } from "../../orchestration/gates/status-report.ts";
import { renderCost, renderCount } from "../shell/amounts.ts";
import { copyable } from "../shell/copyable-command.ts";
import type { Line } from "../shell/lay-out.ts";
import type { Style } from "../shell/palette.ts";
import type { ShowPath } from "../shell/show-path.ts";
import { bad, caution, good, muted, strong } from "../shell/styles.ts";

export interface StatusHow {
  readonly all: boolean;
  readonly patches: ReadonlyMap<string, string>;
  readonly showPath: ShowPath;
  readonly money?: { readonly low: number; readonly high: number };
}

/** What is listed, with the sums below it, fits on a screen of 24 lines. */
const mostLines = 12;

const styles: { readonly [reason in StalePair["reason"]]: Style } = {
  "missing-review": "caution",
  "gate-changed": "accent",
  "note-changed": "accent",
  undecided: "bad",
};

/** Stale pairs by note, the sums, what it would cost, and the command to type next. */
export function statusLines(status: NotesStatus, how: StatusHow): readonly Line[] {
  const byNote = [...groupedByNote(status.stale)];
  const problems = [
    ...status.problems.map(({ path, message }) => `${how.showPath(path)}: ${message}`),
    ...status.skipped.map(({ path, reason }) => `${how.showPath(path)}: not read (${reason})`),
  ];
  const room = how.all ? Number.POSITIVE_INFINITY : mostLines;
  return [
    ...listed(byNote, how, room),
    byNote.length > 0 && "",
    ...problems.slice(0, room).map(problemLine),
    problems.length > room && muted(`… and ${renderCount(problems.length - room, "more problem")}`),
    ...sumLines(status, how),
  ];
}

/** Every pair where there is room, else a line per note. */
function listed(
  byNote: readonly (readonly [string, readonly StalePair[]])[],
  how: StatusHow,
  room: number,
): readonly Line[] {
  const detailed = byNote.flatMap(([note, pairs]) => noteLines(note, pairs, how));
  if (detailed.length <= room || how.patches.size > 0) return detailed;
  const shown = byNote.length <= room ? byNote : byNote.slice(0, room - 1);
  const more = byNote.length - shown.length;
  return [
    ...shown.map(([note, pairs]) => countLine(note, pairs, how)),
    muted(
      more > 0
        ? `… and ${renderCount(more, "more note")} (--all lists every pair)`
        : "--all lists every pair",
    ),
  ];
}

function countLine(note: string, pairs: readonly StalePair[], { showPath }: StatusHow): Line {
  const reasons = [...Map.groupBy(pairs, ({ reason }) => reason)];
  const counts = reasons.map(([reason, own]) => `${own.length} ${reason}`).join(", ");
  return [strong(showPath(note)), muted(`  ${counts}`)];
}

function noteLines(note: string, pairs: readonly StalePair[], how: StatusHow): readonly Line[] {
  const patch = how.patches.get(note);
  const several = new Set(pairs.map(({ model }) => model)).size > 1;
  return [
    strong(how.showPath(note)),
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
    // Reviewing a moved note before its reviews follow would pay for them again.
    ...(status.moved.length > 0 ? movedLines(status, how) : [nextLine(status)]),
  ];
}

function movedLines({ moved }: NotesStatus, { showPath }: StatusHow): readonly Line[] {
  const [first, ...others] = moved;
  if (first === undefined) return [];
  const more = others.length === 0 ? "" : ` and ${renderCount(others.length, "other note")}`;
  return [
    caution(
      `Moved without reviews: ${showPath(first.oldPath)} → ${showPath(first.newPath)}${more}.`,
    ),
    ["Next: ", copyable(adoptMovesCommand)],
  ];
}

/** Pairs that stayed undecided twice are asked about again only on request. */
function nextLine({ stale, models }: NotesStatus): Line {
  const isLeft = stale.every(({ undecidedTimes = 0 }) => isAskedTwice(undecidedTimes));
  const again = isLeft ? " --retry-undecided" : "";
  return ["Next: ", copyable(`signoff notes review${panelFlag(models[0] ?? "")}${again}`)];
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

export function explanationLines(
  explained: readonly PairExplanation[],
  showPath: ShowPath,
): readonly Line[] {
  return explained.flatMap(({ note, gate, model, sentence, from }): readonly Line[] => [
    [strong(`${showPath(note)}:${gate}`), muted(` (${model})`)],
    { lead: ["  "], spans: [sentence, from && ` (known from the ${from})`] },
  ]);
}

function groupedByNote(pairs: readonly StalePair[]): ReadonlyMap<string, readonly StalePair[]> {
  const groups = new Map<string, readonly StalePair[]>();
  for (const pair of pairs) groups.set(pair.note, [...(groups.get(pair.note) ?? []), pair]);
  return groups;
}
