import type { NoteWork } from "../../domain/gates/findings.ts";
import type { WorkItem } from "../../orchestration/gates/warn-queue.ts";
import type { Relocation } from "../../orchestration/relocation/relocate-notes.ts";
import { renderCount } from "../shell/amounts.ts";
import type { Line } from "../shell/lay-out.ts";
import { clipped } from "../shell/row.ts";
import type { ShowPath } from "../shell/show-path.ts";
import { caution, good, muted, strong } from "../shell/styles.ts";

export function ackLines(
  pairs: readonly { readonly note: string; readonly gate: string }[],
  how: {
    readonly dryRun: boolean;
    readonly verb: string;
    /** Why there may be nothing to do. */
    readonly nothing: string;
    readonly showPath: ShowPath;
  },
): readonly Line[] {
  const { dryRun, verb, nothing, showPath } = how;
  if (pairs.length === 0) return [nothing];
  const sum = `${dryRun ? "Would be " : ""}${dryRun ? verb.toLowerCase() : verb} ${renderCount(pairs.length, "pair")}.`;
  return [...pairs.map(({ note, gate }) => `${showPath(note)}:${gate}`), sum];
}

const longestQuote = 200;

/** The work list: notes with the most findings first. */
export function workLines(
  work: readonly NoteWork<WorkItem>[],
  showPath: ShowPath,
): readonly Line[] {
  if (work.length === 0) return [good("No open warnings or failures.")];
  const all = work.flatMap(({ items }) => items);
  const outdated = all.filter((item) => item.outdated !== undefined).length;
  const sum = `${renderCount(all.length, "finding")} in ${renderCount(work.length, "note")}`;
  return [
    ...work.flatMap(({ notePath, items }) => [strong(showPath(notePath)), ...items.map(itemLine)]),
    "",
    `${sum}${outdated > 0 ? `, ${outdated} outdated` : ""}.`,
    ...dismissal(all),
  ];
}

/** With the id of the first, so that the command works as printed. */
function dismissal(items: readonly WorkItem[]): readonly Line[] {
  const open = items.find((item) => item.outdated === undefined && item.dismissed === undefined);
  if (open === undefined) return [];
  const command = `signoff notes dismiss ${open.fingerprint.slice(0, 10)}`;
  return [muted(`The first needs no work? \`${command}\` dismisses it.`)];
}

function itemLine(item: WorkItem): Line {
  const { severity, gate, model, message, quote, line, fingerprint, outdated, dismissed } = item;
  const { suggestedRevision: suggested } = item;
  const style = severity === "fail" ? "bad" : "caution";
  const place = line === undefined || /\bline \d/.test(message) ? "" : ` (line ${line})`;
  return {
    lead: [{ text: `  ${severity.padEnd(5)} `, style }],
    spans: [
      `${message}${place}`,
      muted(`  ${gate}, ${model}, ${fingerprint.slice(0, 10)}`),
      outdated !== undefined && muted(`  outdated: ${outdated}`),
      dismissed !== undefined && muted(`  dismissed: ${dismissed}`),
      quote !== undefined && muted(`\n> ${clipped(quote, longestQuote)}`),
      suggested !== undefined && {
        text: `\nsuggested: ${clipped(suggested, longestQuote)}`,
        style: "added",
      },
    ],
  };
}

export function moveLines({ plan, notes, applied }: Relocation): readonly Line[] {
  if (plan.moves.length === 0) return ["Nothing to move."];
  return [
    ...plan.moves.map(({ oldPath, newPath }) => `${oldPath} → ${newPath}`),
    ...plan.edits.map(
      ({ path, rewrites }) =>
        `${path}: ${renderCount(rewrites.length, "link")} ${applied ? "rewritten" : "to rewrite"}`,
    ),
    ...notes,
    applied ? good("Moved.") : caution("Nothing was changed; add --apply to do it."),
  ];
}
