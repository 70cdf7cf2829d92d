import { parseLock } from "../../contract/gates/lock-file.ts";
import {
  fingerprintFinding,
  groupByNote,
  isDismissalInForce,
  type NoteWork,
  workOf,
} from "../../domain/gates/findings.ts";
import { classifyStaleness } from "../../domain/gates/staleness.ts";
import { defined } from "../../domain/values/defined.ts";
import { ConfigurationError, WorkflowError } from "../../domain/values/workflow-error.ts";
import type { NoteFile } from "../../ports/note-source.ts";
import type { DismissalRow, GateReviewRow, ReviewRepos } from "../../ports/review-repos.ts";
import type { Gate } from "./load-gates.ts";
import { loadWorld, type NotesScope } from "./load-world.ts";
import type { NotesTools, WritingTools } from "./notes-tools.ts";
import { textOf } from "./plan-work.ts";
import { pairKey, snapshotOf } from "./select-pairs.ts";

export interface WorkItem {
  readonly notePath: string;
  readonly gate: string;
  readonly model: string;
  readonly severity: string;
  readonly message: string;
  readonly quote?: string;
  readonly line?: number;
  readonly fingerprint: string;
  readonly survivesRewording: boolean;
  readonly suggestedRevision?: string;
  /** Why it may no longer be true: the note or the gate has changed. */
  readonly outdated?: string;
  readonly dismissed?: string;
  /** Absent where only the lock knows the review. */
  readonly run?: number;
  readonly noteBlob: string;
}

/** The latest warnings and failures of every model, most findings first. One query and the findings reader. */
export async function loadWork(
  tools: NotesTools,
  scope: NotesScope & { readonly includeDismissed: boolean },
): Promise<readonly NoteWork<WorkItem>[]> {
  const world = await loadWorld(tools, scope);
  const stored = await tools.store?.read(({ reviews }) => readWork(reviews));
  const { rows, dismissals } = stored ?? { rows: [], dismissals: [] };
  const wanted = new Set(world.notes.map(({ path }) => path));
  const gates = new Set(world.gates.map(({ id }) => id));
  const everything = scope.paths.length === 0 && scope.gates.length === 0;
  const present: Present = {
    notes: new Map(world.allNotes.map((note) => [note.path, note])),
    gates: new Map(world.allGates.map((gate) => [gate.id, gate])),
  };
  const items = [...rows, ...(await lockedWork(tools, rows))]
    .filter((row) => everything || (wanted.has(row.notePath) && gates.has(row.gateId)))
    .flatMap((row) => itemsOf(tools, present, { row, dismissals }));
  return groupByNote(
    items.filter(({ dismissed }) => dismissed === undefined || scope.includeDismissed),
  );
}

interface Present {
  readonly notes: ReadonlyMap<string, NoteFile>;
  readonly gates: ReadonlyMap<string, Gate>;
}

/** A review that leaves work, as far as it is known. */
type WorkRow = Omit<GateReviewRow, "seq" | "review" | "run" | "text" | "at"> & {
  readonly number?: number;
};

async function readWork(
  reviews: ReviewRepos,
): Promise<{ readonly rows: readonly WorkRow[]; readonly dismissals: readonly DismissalRow[] }> {
  const rows: WorkRow[] = [];
  for (const row of await reviews.gateReviews.latestWork())
    rows.push({ ...row, number: (await reviews.runs.find(row.run))?.number ?? 0 });
  return { rows, dismissals: await reviews.dismissals.all() };
}

/**
 * Warnings and failures that other people committed: the verdict is known, but its findings are in their store. Without
 * them a clone would list no work while `check` fails.
 */
async function lockedWork(
  { files, settings, store }: NotesTools,
  stored: readonly WorkRow[],
): Promise<readonly WorkRow[]> {
  const listed = new Set(stored.map((row) => pairKey(row.notePath, row.gateId, row.model)));
  const { lines } = parseLock((await files.read(settings.lock)) ?? "");
  const rows: WorkRow[] = [];
  for (const { notePath, gateId, modelId, ...line } of lines) {
    if (line.decision === "pass" || listed.has(pairKey(notePath, gateId, modelId))) continue;
    const known = await store?.read(({ reviews }) => reviews.gateReviews.ofNote(notePath));
    if (known?.some((row) => row.gateId === gateId && row.model === modelId) === true) continue;
    const { decision, acceptedNoteSha: noteBlob, acceptedGateSha: gateBlob } = line;
    const summary = `The review says ${decision}; its findings are in the store where it was made.`;
    const versions = { notePath, noteBlob, gateId, gateBlob };
    rows.push({ ...versions, model: modelId, decision, summary, findings: [] });
  }
  return rows;
}

function itemsOf(
  tools: NotesTools,
  present: Present,
  about: { readonly row: WorkRow; readonly dismissals: readonly DismissalRow[] },
): readonly WorkItem[] {
  const { row, dismissals } = about;
  const { notePath, gateId } = row;
  const outdated = whyOutdated(present, row);
  return workOf(row).map((finding) => {
    const { id, survivesRewording } = fingerprintFinding(
      { gateId, notePath, finding },
      tools.digest,
    );
    const inForce = dismissals.findLast(
      (dismissal) => dismissal.fingerprint === id && holds(tools, present, dismissal),
    );
    const { severity, message, quote, line } = finding;
    const { model, noteBlob, suggestedRevision, number } = row;
    return {
      ...{ notePath, gate: gateId, model, severity, message, fingerprint: id, survivesRewording },
      ...defined({ quote, line, suggestedRevision, outdated, dismissed: inForce?.reason }),
      ...defined({ run: number }),
      noteBlob,
    };
  });
}

/** Uses the function that decides staleness: a review of other versions says nothing about the present ones. */
function whyOutdated({ notes, gates }: Present, row: WorkRow): string | undefined {
  const [note, gate] = [notes.get(row.notePath), gates.get(row.gateId)];
  if (note === undefined) return "the note is gone";
  if (gate === undefined) return "the gate is gone";
  return classifyStaleness(note, gate, snapshotOf({ note, gate, model: row.model }, row))?.reason;
}

function holds(tools: NotesTools, { notes }: Present, dismissal: DismissalRow): boolean {
  const note = notes.get(dismissal.notePath);
  if (note === undefined) return false;
  return isDismissalInForce(
    {
      fingerprint: dismissal.fingerprint,
      reason: dismissal.reason,
      noteSha: dismissal.noteBlob,
      ...defined({ quote: dismissal.quote }),
    },
    { text: textOf(tools, note.path), blobSha: note.blobSha },
  );
}

/** Records that a finding needs no work. This holds until the text it is about changes. */
export async function dismissFinding(
  tools: WritingTools,
  about: {
    readonly fingerprint: string;
    readonly reason: string;
    readonly by: string;
    /** The person saw it open: fail if it is already dismissed. */
    readonly seenOpen?: boolean;
  },
): Promise<WorkItem> {
  const scope = { paths: [], gates: [], includeDismissed: true };
  const dismissals = await tools.store.read(({ reviews }) => reviews.dismissals.all());
  const work = (await loadWork(tools, scope)).flatMap(({ items }) => items);
  const matching = work.filter(({ fingerprint }) => fingerprint.startsWith(about.fingerprint));
  const distinct = new Set(matching.map(({ fingerprint }) => fingerprint));
  const [item] = matching;
  if (item === undefined || distinct.size > 1) {
    throw new ConfigurationError(
      item === undefined
        ? `There is no finding ${about.fingerprint}.`
        : `Several findings begin with ${about.fingerprint}.`,
      {
        code: item === undefined ? "finding-unknown" : "finding-ambiguous",
        facts: { fingerprint: about.fingerprint },
        hint: "`signoff notes warns` lists them.",
      },
    );
  }
  const { fingerprint, dismissed } = item;
  if (about.seenOpen === true && dismissed !== undefined)
    throw alreadyDismissed(fingerprint, dismissed);
  const known = dismissals.filter((one) => one.fingerprint === fingerprint).length;
  await tools.store.transaction(async ({ reviews }) => {
    const all = (await reviews.dismissals.all()).filter((one) => one.fingerprint === fingerprint);
    const other = all[known];
    if (other !== undefined) throw alreadyDismissed(fingerprint, other.reason);
    await reviews.dismissals.append({
      fingerprint,
      notePath: item.notePath,
      noteBlob: item.noteBlob,
      gateId: item.gate,
      ...defined({ quote: item.quote }),
      reason: about.reason,
      by: about.by,
      at: tools.clock.now(),
    });
  });
  return item;
}

/** Of two people who dismiss the same finding at once, the second gets this. */
export function alreadyDismissed(fingerprint: string, reason: string): WorkflowError {
  return new WorkflowError(`This finding was dismissed meanwhile: ${reason}`, {
    code: "already-dismissed",
    facts: { fingerprint },
  });
}
