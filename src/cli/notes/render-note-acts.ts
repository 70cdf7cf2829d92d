import type { NoteWork } from "../../domain/gates/findings.ts";
import type { WorkItem } from "../../orchestration/gates/warn-queue.ts";
import type { Relocation } from "../../orchestration/relocation/relocate-notes.ts";
import { renderCount } from "../shell/amounts.ts";
import { type Layout, layOut, type Span } from "../shell/lay-out.ts";
import { clipped } from "../shell/row.ts";

export function renderAcks(
  pairs: readonly { readonly note: string; readonly gate: string }[],
  { dryRun, layout }: { readonly dryRun: boolean; readonly layout: Layout },
): readonly string[] {
  const verb = dryRun ? "Would ack" : "Acknowledged";
  const sum = `${verb} ${renderCount(pairs.length, "stale pair")}.`;
  return [...pairs.map(({ note, gate }) => `${note}:${gate}`), sum].flatMap((text) =>
    layOut([{ text }], layout),
  );
}

const longestQuote = 200;

/** The work list: what a person has to look at, most first. */
export function renderWork(work: readonly NoteWork<WorkItem>[], layout: Layout): readonly string[] {
  if (work.length === 0)
    return layOut([{ text: "No open warnings or failures.", style: "good" }], layout);
  const all = work.flatMap(({ items }) => items);
  const outdated = all.filter((item) => item.outdated !== undefined).length;
  const sum = `${renderCount(all.length, "finding")} in ${renderCount(work.length, "note")}${outdated > 0 ? `, ${outdated} outdated` : ""}.`;
  return [
    ...work.flatMap(({ notePath, items }) => [
      ...layOut([{ text: notePath, style: "strong" }], layout),
      ...items.flatMap((item) => renderItem(item, layout)),
    ]),
    "",
    ...layOut([{ text: sum }], layout),
    ...layOut(
      [{ text: "Dismiss one with `signoff notes warns --dismiss ID --reason …`.", style: "muted" }],
      layout,
    ),
  ];
}

function renderItem(item: WorkItem, layout: Layout): readonly string[] {
  const { severity, gate, model, message, quote, line, fingerprint, outdated, dismissed } = item;
  const lead: Span = {
    text: `  ${severity.padEnd(5)} `,
    style: severity === "fail" ? "bad" : "caution",
  };
  const place = line === undefined || /\bline \d/.test(message) ? "" : ` (line ${line})`;
  const spans: readonly Span[] = [
    { text: `${message}${place}` },
    { text: `  ${gate}, ${model}, ${fingerprint.slice(0, 10)}`, style: "muted" },
    ...(outdated === undefined
      ? []
      : [{ text: `  outdated: ${outdated}`, style: "muted" } as const]),
    ...(dismissed === undefined
      ? []
      : [{ text: `  dismissed: ${dismissed}`, style: "muted" } as const]),
    ...(quote === undefined
      ? []
      : [{ text: `\n> ${clipped(quote, longestQuote)}`, style: "muted" } as const]),
    ...(item.suggestedRevision === undefined
      ? []
      : [
          {
            text: `\nsuggested: ${clipped(item.suggestedRevision, longestQuote)}`,
            style: "added",
          } as const,
        ]),
  ];
  return layOut(spans, layout, [lead]);
}

export function renderMove(moved: Relocation, layout: Layout): readonly string[] {
  const { plan, notes, applied } = moved;
  if (plan.moves.length === 0) return layOut([{ text: "Nothing to move." }], layout);
  const lines = [
    ...plan.moves.map(({ oldPath, newPath }) => `${oldPath} → ${newPath}`),
    ...plan.edits.map(
      ({ path, rewrites }) => `${path}: ${renderCount(rewrites.length, "link")} rewritten`,
    ),
    ...notes,
  ];
  const end: Span = applied
    ? { text: "Moved.", style: "good" }
    : { text: "Nothing was changed; add --apply to do it.", style: "caution" };
  return [...lines.flatMap((text) => layOut([{ text }], layout)), ...layOut([end], layout)];
}
