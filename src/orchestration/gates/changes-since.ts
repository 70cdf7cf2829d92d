import { parseLock, renderLock } from "../../contract/gates/lock-file.ts";
import { parseRulings, renderRuling } from "../../contract/gates/rulings-file.ts";
import type { Ruling } from "../../domain/gates/rulings.ts";
import type { NotesTools } from "./notes-tools.ts";
import { rulingsPath } from "./rulings-path.ts";

/** What differs from a revision and bears on reviews. */
export interface ChangesSince {
  readonly revision: string;
  readonly notes: ReadonlySet<string>;
  /** Files of gates that were changed, added or removed. */
  readonly gateFiles: ReadonlySet<string>;
  /** Pairs with changed, added or deleted lines in the lock. */
  readonly locked: readonly { readonly notePath: string; readonly gateId: string }[];
  readonly rulings: readonly Ruling[];
  /** Rulings that were there and are not any more; no command deletes one. */
  readonly deletedRulings: readonly Ruling[];
}

export async function loadChanges(tools: NotesTools, revision: string): Promise<ChangesSince> {
  const { source, settings, files } = tools;
  const rulingsFile = rulingsPath(settings);
  const folders = [...settings.roots, settings.gates];
  const changed = await source.changedSince(revision, folders);
  const then = async (path: string) => (await source.textAt(revision, path)) ?? "";
  const now = async (path: string) => (await files.read(path)) ?? "";
  const before = parseRulings(await then(rulingsFile)).rulings;
  const after = parseRulings(await now(rulingsFile)).rulings;
  return {
    revision,
    notes: changed,
    gateFiles: new Set([...changed].filter((path) => path.startsWith(`${settings.gates}/`))),
    locked: changedLines(await then(settings.lock), await now(settings.lock)),
    rulings: without(after, before),
    deletedRulings: without(before, after),
  };
}

function changedLines(before: string, after: string): ChangesSince["locked"] {
  if (before === after) return [];
  const [then, now] = [before, after].map((text) => parseLock(text).lines);
  const written = (lines: typeof then = []) => new Set(lines.map((line) => renderLock([line])));
  const [known, present] = [written(then), written(now)];
  return [...(then ?? []), ...(now ?? [])].filter((line) => {
    const text = renderLock([line]);
    return known.has(text) !== present.has(text);
  });
}

function without(rulings: readonly Ruling[], others: readonly Ruling[]): readonly Ruling[] {
  const known = new Set(others.map(renderRuling));
  return rulings.filter((ruling) => !known.has(renderRuling(ruling)));
}
