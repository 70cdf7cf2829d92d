import {
  type LockLine,
  type LockProblem,
  lockKey,
  parseLock,
  renderLock,
} from "../../contract/gates/lock-file.ts";
import { compactVerdicts, missingVerdict } from "../../domain/gates/counting-verdict.ts";
import type { PairDigests } from "../../domain/gates/pair-digests.ts";
import { defined } from "../../domain/values/defined.ts";
import type { GateReviewRow, ReviewRepos } from "../../ports/review-repos.ts";
import { acceptanceAt } from "./current-acceptances.ts";
import {
  type Filed,
  type FiledPair,
  filedFindings,
  filedIn,
  reviewBehind,
  VersionDigests,
} from "./filed-verdicts.ts";
import { writeFindings } from "./finding-details.ts";
import { loadWorld, type NotesWorld } from "./load-world.ts";
import type { WritingTools } from "./notes-tools.ts";
import { lockFileGuard } from "./rulings.ts";
import { mergeByUnion } from "./union-merge.ts";

export interface LockWritten {
  readonly path: string;
  readonly lines: number;
  readonly changed: boolean;
  /** Lines of the old file that could not be read. */
  readonly problems: readonly LockProblem[];
}

/** A verdict of the lock, with its line. */
type Locked = Filed & { readonly line: LockLine };

/** A pair that the store or the lock knows and that still exists. */
interface KnownPair extends Omit<FiledPair, "filed"> {
  readonly stored: readonly Filed[];
  readonly locked: readonly Locked[];
}

/**
 * Adds what the store knows of the present versions and the lock does not say. No line is replaced: those of other
 * versions belong to other branches, and a worse verdict of the same versions counts. With `compact`, lines are dropped
 * that can never count again, and those of notes and gates that are gone.
 */
export async function writeLock(
  tools: WritingTools,
  how: { readonly compact: boolean } = { compact: false },
): Promise<LockWritten> {
  const { files, settings, store, exclusively } = tools;
  const world = await loadWorld(tools, { paths: [], gates: [] });
  return exclusively(lockFileGuard, async () => {
    const before = (await files.read(settings.lock)) ?? "";
    const { lines: present, problems } = parseLock(before);
    const pairs = await store.read(async ({ reviews }) => knownPairs(world, present, reviews));
    const lines = how.compact
      ? await compacted(tools, pairs)
      : [...present, ...(await missingLines(tools, pairs))];
    const kept = how.compact ? [] : problems.map(({ written }) => written);
    const after = renderLock(lines, kept);
    const changed = after !== before;
    if (changed) await files.write([{ path: settings.lock, content: after }]);
    if (after !== "") await mergeByUnion(tools, settings.lock);
    await writeFindings(tools, lines, how);
    return { path: settings.lock, lines: lines.length, changed, problems };
  });
}

async function knownPairs(
  { allNotes, allGates }: NotesWorld,
  present: readonly LockLine[],
  { acceptances }: ReviewRepos,
): Promise<readonly KnownPair[]> {
  const [notes, gates] = [
    new Map(allNotes.map((one) => [one.path, one])),
    new Map(allGates.map((one) => [one.id, one])),
  ];
  const pairs = new Map<string, KnownPair & { stored: Filed[]; locked: Locked[] }>();
  const pairOf = (name: Pick<LockLine, "notePath" | "gateId" | "modelId">) => {
    const key = lockKey(name);
    const [note, gate] = [notes.get(name.notePath), gates.get(name.gateId)];
    const known = pairs.get(key);
    if (known !== undefined || note === undefined || gate === undefined) return known;
    const added = { note, gate, model: name.modelId, stored: [], locked: [] };
    pairs.set(key, added);
    return added;
  };
  for (const line of present) pairOf(line)?.locked.push({ ...filedIn(line), line });
  await acceptances.byNote((stored) => {
    for (const at of stored.gates.keys()) {
      const row = acceptanceAt(stored, at);
      if (row !== undefined)
        pairOf({ ...row, modelId: row.model })?.stored.push({ ...row, from: "store" });
    }
  });
  return [...pairs.values()];
}

async function missingLines(
  tools: WritingTools,
  pairs: readonly KnownPair[],
): Promise<readonly LockLine[]> {
  const open = pairs.filter(({ stored, locked }) => !stored.every((row) => isSaid(row, locked)));
  const digests = await digestsFor(tools, open);
  const missing = open.flatMap((pair) => {
    const fitting = <T extends Filed>(filed: readonly T[]) => digests.fitting({ ...pair, filed });
    const filed = missingVerdict<Filed>(fitting(pair.locked), fitting(pair.stored));
    return filed === undefined ? [] : [{ pair, filed }];
  });
  return linesOf(tools, digests, missing);
}

/** The usual case, decided without reading a text. */
function isSaid({ noteBlob, gateBlob, decision, kind }: Filed, locked: readonly Locked[]): boolean {
  return locked.some(
    (one) =>
      one.noteBlob === noteBlob &&
      one.gateBlob === gateBlob &&
      one.decision === decision &&
      one.kind === kind,
  );
}

async function compacted(
  tools: WritingTools,
  pairs: readonly KnownPair[],
): Promise<readonly LockLine[]> {
  const digests = await digestsFor(tools, pairs);
  const [lines, wanted]: [LockLine[], NewLine[]] = [[], []];
  for (const pair of pairs) {
    const fitting = new Set(
      digests.fitting<Filed>({ ...pair, filed: [...pair.locked, ...pair.stored] }),
    );
    const others = pair.locked.filter((one) => !fitting.has(one));
    for (const filed of compactVerdicts<Filed>([...fitting], others))
      if (fitting.has(filed)) wanted.push({ pair, filed });
      else lines.push(...others.filter((one) => one === filed).map(({ line }) => line));
  }
  return [...lines, ...(await linesOf(tools, digests, wanted))];
}

function digestsFor(tools: WritingTools, pairs: readonly KnownPair[]): Promise<VersionDigests> {
  const all = pairs.map((pair) => ({ ...pair, filed: [...pair.stored, ...pair.locked] }));
  return VersionDigests.load(tools, all);
}

interface NewLine {
  readonly pair: KnownPair;
  readonly filed: Filed;
}

async function linesOf(
  tools: WritingTools,
  digests: VersionDigests,
  wanted: readonly NewLine[],
): Promise<readonly LockLine[]> {
  const behind = new Map<string, readonly GateReviewRow[]>();
  for (const { pair, filed } of wanted) {
    const { path } = pair.note;
    if (filed.findings !== undefined || filed.decision === "pass" || behind.has(path)) continue;
    behind.set(path, await tools.store.read(({ reviews }) => reviews.gateReviews.ofNote(path)));
  }
  return wanted.map(({ pair, filed }) => {
    const { note, gate, model } = pair;
    const { noteBlob, gateBlob, decision, kind, format } = filed;
    const named = { gateId: gate.id, model };
    const review = () => reviewBehind(behind.get(note.path) ?? [], named, filed);
    const findings =
      filed.findings ?? (decision === "pass" ? [] : filedFindings(tools, review()?.findings ?? []));
    return {
      ...{ notePath: note.path, gateId: gate.id, modelId: model },
      ...{ acceptedNoteSha: noteBlob, acceptedGateSha: gateBlob, decision, kind, format, findings },
      ...defined({ digests: filed.digests ?? complete(digests.present(note, gate)) }),
    };
  });
}

function complete({ note, gate }: Partial<PairDigests>): PairDigests | undefined {
  return note === undefined || gate === undefined ? undefined : { note, gate };
}
