import { defined } from "../../domain/values/defined.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { GateReviewRow } from "../../ports/review-repos.ts";
import { explainTarget } from "./explain-pair.ts";
import { earlierTexts } from "./filed-verdicts.ts";
import { listTree } from "./list-tree.ts";
import { noteIdOf } from "./load-matrix.ts";
import { loadWorld } from "./load-world.ts";
import type { NotesTools } from "./notes-tools.ts";
import { noteTextOf } from "./plan-work.ts";
import { pairMoved } from "./rule-pairs.ts";
import { notApplicable, selectAllPairs } from "./select-pairs.ts";
import type { TargetPair } from "./target-pair.ts";
import { loadWork } from "./warn-queue.ts";

export interface PairName {
  readonly noteId: string;
  readonly gate: string;
  readonly model: string;
}

/** One pair with everything a person needs to judge it. */
export async function loadPair(tools: NotesTools, name: PairName) {
  const target = await findPair(tools, name);
  const { note, gate, model, state, accepted, trivial } = target;
  const review = await latestReview(tools, target);
  const before = accepted?.noteBlob === note.blobSha ? undefined : accepted?.noteBlob;
  const acceptedText = before && (await earlierTexts(tools, [before])).get(before);
  return {
    ...{ noteId: name.noteId, note: note.path, gate: gate.id, model, trivial },
    version: pairVersion(tools, target),
    state: state.kind,
    ...(state.kind === "fresh" ? {} : { reason: state.reason }),
    ...defined({ gateDescription: gate.description }),
    sentence: explainTarget(target).sentence,
    isRule: gate.kind === "rule",
    canAcknowledge: state.kind !== "fresh" && accepted !== undefined,
    text: noteTextOf(tools, note.path),
    ...defined({
      acceptedText,
      accepted: accepted && { decision: accepted.decision, kind: accepted.kind },
      review: review && (await describeReview(tools, target, review)),
    }),
  };
}

export async function findPair(tools: NotesTools, name: PairName): Promise<TargetPair> {
  const paths = await notePathsOf(tools, [name.noteId]);
  const world = await loadWorld(tools, { paths, gates: [name.gate] });
  const { freshPairs, stale } = await selectAllPairs(tools, world, { models: [name.model] });
  const target = [...freshPairs, ...stale].find(({ gate }) => gate.id === name.gate);
  if (target === undefined) throw notApplicable(paths[0] ?? "", name.gate);
  return target;
}

/** Ids are looked up among the project's notes and never used as paths. */
export async function notePathsOf(
  tools: NotesTools,
  noteIds: readonly string[],
): Promise<readonly string[]> {
  if (noteIds.length === 0) return [];
  const { notes } = await listTree(tools);
  const paths = new Map(notes.map(({ path }) => [noteIdOf(tools, path), path]));
  return noteIds.map((id) => {
    const path = paths.get(id);
    if (path !== undefined) return path;
    throw new ConfigurationError("There is no such note.", {
      code: "note-unknown",
      facts: { note: id },
      hint: "It may have been moved; the matrix lists the present notes.",
    });
  });
}

/** What an act on a pair depends on: both versions, and what they were accepted as. */
function pairVersion({ digest }: NotesTools, { note, gate, accepted, state }: TargetPair): string {
  const versions = [note.blobSha, gate.blobSha, accepted?.noteBlob, accepted?.gateBlob];
  const facts = [...versions, state.kind, accepted?.decision];
  return digest(JSON.stringify(facts)).slice(0, 16);
}

export function requirePairVersion(tools: NotesTools, target: TargetPair, seen: string): void {
  if (pairVersion(tools, target) === seen) return;
  const { state, accepted } = target;
  throw pairMoved(
    target,
    state.kind === "fresh" ? `it is fresh by ${accepted?.kind}` : `it is ${state.kind}`,
  );
}

async function latestReview(
  { store }: NotesTools,
  { note, gate, model }: TargetPair,
): Promise<GateReviewRow | undefined> {
  const rows = await store?.read(({ reviews }) => reviews.gateReviews.ofNote(note.path));
  return rows?.findLast((row) => row.gateId === gate.id && row.model === model);
}

async function describeReview(
  tools: NotesTools,
  { note, gate, model }: TargetPair,
  row: GateReviewRow,
) {
  const scope = { paths: [note.path], gates: [gate.id], includeDismissed: true };
  const work = (await loadWork(tools, scope)).flatMap(({ items }) => items);
  const dismissed = new Map(
    work.filter((item) => item.model === model).map((item) => [item.fingerprint, item.dismissed]),
  );
  const { decision, summary, suggestedRevision, text: raw, at, noteBlob, gateBlob } = row;
  return {
    ...{ decision, raw, at },
    ...defined({ summary, suggestedRevision }),
    isCurrent: noteBlob === note.blobSha && gateBlob === gate.blobSha,
    findings: row.findings.map((finding) => ({
      ...finding,
      ...defined({ dismissed: dismissed.get(finding.fingerprint) }),
    })),
  };
}
