import {
  fingerprintFinding,
  groupByNote,
  isDismissalInForce,
  type NoteWork,
  workOf,
} from "../../domain/gates/findings.ts";
import { classifyStaleness } from "../../domain/gates/staleness.ts";
import { ConfigurationError, WorkflowError } from "../../domain/values/workflow-error.ts";
import type { Dismissal, GateReviewRow } from "../../ports/review-repos.ts";
import { loadWorld, type NotesWorld, type Scope } from "./load-world.ts";
import type { NotesTools, WritingTools } from "./notes-tools.ts";
import { textOf } from "./plan-work.ts";

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
  /** Why it may no longer be true: the note or the gate is another by now. */
  readonly outdated?: string;
  readonly dismissed?: string;
  readonly run: number;
  readonly noteBlob: string;
}

/** The latest warnings and failures of every model, most findings first. One query and the findings reader. */
export async function loadWork(
  tools: NotesTools,
  scope: Scope & { readonly includeDismissed: boolean },
): Promise<readonly NoteWork<WorkItem>[]> {
  const world = await loadWorld(tools, scope);
  const { store } = tools;
  if (store === undefined) return [];
  const { rows, dismissals, numbers } = await store.read(async ({ reviews }) => {
    const found = await reviews.gateReviews.latestWork();
    const runs = new Map<string, number>();
    for (const { run } of found)
      if (!runs.has(run)) runs.set(run, (await reviews.runs.find(run))?.number ?? 0);
    return { rows: found, dismissals: await reviews.dismissals.all(), numbers: runs };
  });
  const wanted = new Set(world.notes.map(({ path }) => path));
  const gates = new Set(world.gates.map(({ id }) => id));
  const everything = scope.paths.length === 0 && scope.gates.length === 0;
  const items = rows
    .filter((row) => everything || (wanted.has(row.notePath) && gates.has(row.gateId)))
    .flatMap((row) => itemsOf(tools, world, { row, dismissals, run: numbers.get(row.run) ?? 0 }));
  return groupByNote(
    items.filter(({ dismissed }) => dismissed === undefined || scope.includeDismissed),
  );
}

function itemsOf(
  tools: NotesTools,
  world: NotesWorld,
  about: {
    readonly row: GateReviewRow;
    readonly dismissals: readonly Dismissal[];
    readonly run: number;
  },
): readonly WorkItem[] {
  const { row, dismissals, run } = about;
  const { notePath, gateId } = row;
  const outdated = whyOutdated(world, row);
  return workOf(row).map((finding) => {
    const { id, survivesRewording } = fingerprintFinding(
      { gateId, notePath, finding },
      tools.digest,
    );
    const inForce = dismissals.findLast(
      (dismissal) => dismissal.fingerprint === id && holds(tools, world, dismissal),
    );
    return {
      notePath,
      gate: gateId,
      model: row.model,
      severity: finding.severity,
      message: finding.message,
      ...(finding.quote === undefined ? {} : { quote: finding.quote }),
      ...(finding.line === undefined ? {} : { line: finding.line }),
      fingerprint: id,
      survivesRewording,
      ...(row.suggestedRevision === undefined ? {} : { suggestedRevision: row.suggestedRevision }),
      ...(outdated === undefined ? {} : { outdated }),
      ...(inForce === undefined ? {} : { dismissed: inForce.reason }),
      run,
      noteBlob: row.noteBlob,
    };
  });
}

/** By the one function that decides staleness: a review of other versions is not about what stands there now. */
function whyOutdated(world: NotesWorld, row: GateReviewRow): string | undefined {
  const note = world.allNotes.find(({ path }) => path === row.notePath);
  const gate = world.allGates.find(({ id }) => id === row.gateId);
  if (note === undefined) return "the note is gone";
  if (gate === undefined) return "the gate is gone";
  return classifyStaleness(note, gate, {
    notePath: row.notePath,
    gateId: row.gateId,
    modelId: row.model,
    acceptedNoteSha: row.noteBlob,
    acceptedGateSha: row.gateBlob,
  })?.reason;
}

function holds(tools: NotesTools, world: NotesWorld, dismissal: Dismissal): boolean {
  const note = world.allNotes.find(({ path }) => path === dismissal.notePath);
  if (note === undefined) return false;
  return isDismissalInForce(
    {
      fingerprint: dismissal.fingerprint,
      reason: dismissal.reason,
      noteSha: dismissal.noteBlob,
      ...(dismissal.quote === undefined ? {} : { quote: dismissal.quote }),
    },
    { text: textOf(tools, note.path), blobSha: note.blobSha },
  );
}

/** A person says that a finding is no work. It sticks until the text under it changes. */
export async function dismissFinding(
  tools: WritingTools,
  about: { readonly fingerprint: string; readonly reason: string; readonly by: string },
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
  const { fingerprint } = item;
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
      ...(item.quote === undefined ? {} : { quote: item.quote }),
      reason: about.reason,
      by: about.by,
      at: tools.clock.now(),
    });
  });
  return item;
}

/** Of two people who dismiss the same finding at once, one is told of the other. */
export function alreadyDismissed(fingerprint: string, reason: string): WorkflowError {
  return new WorkflowError(`This finding was dismissed meanwhile: ${reason}`, {
    code: "already-dismissed",
    facts: { fingerprint },
  });
}
