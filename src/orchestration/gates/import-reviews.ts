import {
  isSettled,
  type ReviewDecision,
  reviewDecisions,
  type Settled,
} from "../../domain/gates/decision.ts";
import { modelPartition } from "../../domain/gates/model-partition.ts";
import { defined } from "../../domain/values/defined.ts";
import { type RunId, runId } from "../../domain/values/ids.ts";
import { instantFromMillis } from "../../domain/values/instant.ts";
import type { OriginalPair } from "../../ports/original-reviews.ts";
import type { PairVersions, ReviewRepos } from "../../ports/review-repos.ts";
import { type ParsedGateReview, parseReview } from "../../protocol/gates/parse-review.ts";
import { findingRows } from "./finalize-review.ts";
import { loadWorld } from "./load-world.ts";
import { type LockWritten, writeLock } from "./lock-file.ts";
import type { WritingTools } from "./notes-tools.ts";

export interface Imported {
  readonly imported: number;
  /** Pairs that have an acceptance here keep it. */
  readonly known: number;
  /** Without a decision there is nothing to take over. */
  readonly undecided: number;
  /** Of notes and gates that do not exist here. */
  readonly gone: number;
  /** What the original has, by its names of models. */
  readonly partitions: readonly { readonly model: string; readonly pairs: number }[];
  readonly lock: LockWritten;
}

/** A partition of the original, and the model whose verdicts it holds. */
export interface ImportedModel {
  readonly from: string;
  readonly to: string;
}

const importFormat = "original";

/**
 * Takes over what the original program accepted, with its findings. `models` chooses partitions; without it all are taken
 * under their own names. Repeating it adds nothing.
 */
export async function importReviews(
  tools: WritingTools,
  pairs: readonly OriginalPair[],
  about: { readonly models: readonly ImportedModel[]; readonly newId: () => string },
): Promise<Imported> {
  const { allNotes, allGates } = await loadWorld(tools, { paths: [], gates: [] });
  const notes = new Set(allNotes.map(({ path }) => path));
  const gates = new Set(allGates.map(({ id }) => id));
  const names = new Map(about.models.map(({ from, to }) => [partition(tools, from), to]));
  const chosen = pairs.flatMap((pair) => {
    const model = names.size === 0 ? pair.model : names.get(partition(tools, pair.model));
    return model === undefined ? [] : [{ ...pair, model, gate: gateIdOf(tools, pair.gate) }];
  });
  const here = chosen.filter((pair) => notes.has(pair.notePath) && gates.has(pair.gate));
  const counts = { imported: 0, known: 0, undecided: 0, gone: chosen.length - here.length };
  const groups = [...Map.groupBy(here, ({ notePath, model }) => `${notePath}\n${model}`).values()];
  await tools.store.transaction(async ({ reviews }) => {
    Object.assign(counts, { imported: 0, known: 0, undecided: 0 });
    for (const group of groups) {
      const done = await importNote(tools, reviews, { pairs: group, run: runId(about.newId()) });
      for (const result of done) counts[result] += 1;
    }
  });
  const byModel = [...Map.groupBy(pairs, ({ model }) => model)];
  const partitions = byModel.map(([model, own]) => ({ model, pairs: own.length }));
  return { ...counts, partitions, lock: await writeLock(tools) };
}

function partition({ settings }: WritingTools, model: string): string {
  return modelPartition(model, settings);
}

/** Everything one model said about one note, as one run. */
async function importNote(
  tools: WritingTools,
  reviews: ReviewRepos,
  { pairs, run }: { readonly pairs: readonly OriginalPair[]; readonly run: RunId },
): Promise<readonly ("imported" | "known" | "undecided")[]> {
  const [first] = pairs;
  if (first === undefined) return [];
  const model = partition(tools, first.model);
  const current = await reviews.acceptances.currentOf(first.notePath);
  const known = new Set(current.flatMap((row) => (row.model === model ? [row.gateId] : [])));
  const read = pairs.map((pair) => {
    const review = parseReview(pair.gate, pair.text);
    return { pair, review, decision: decisionOf(pair, review) };
  });
  const fresh = read.filter(({ pair, decision }) => isSettled(decision) && !known.has(pair.gate));
  if (fresh.length > 0) {
    const at = timeOf(first.at, tools);
    await reviews.runs.insert({
      ...{ run, plan: `import/${run}`, shape: "bundle", model, askedModel: first.model },
      ...{ format: importFormat, createdAt: at },
    });
    await reviews.runs.complete(run, { at });
    const rows = fresh.map(({ pair }, ordinal) => ({ ordinal, ...versionsIn(pair) }));
    await reviews.runGates.insertMany(run, rows);
  }
  for (const [ordinal, { pair, review, decision }] of fresh.entries())
    if (isSettled(decision))
      await filePair(tools, reviews, { pair, review, decision, run, ordinal });
  return read.map(({ pair, decision }) => {
    if (!isSettled(decision)) return "undecided";
    return known.has(pair.gate) ? "known" : "imported";
  });
}

function versionsIn({ notePath, noteBlob, gate: gateId, gateBlob }: OriginalPair): PairVersions {
  return { notePath, noteBlob, gateId, gateBlob };
}

async function filePair(
  tools: WritingTools,
  reviews: ReviewRepos,
  about: {
    readonly pair: OriginalPair;
    readonly review: ParsedGateReview;
    readonly decision: Settled;
    readonly run: RunId;
    readonly ordinal: number;
  },
): Promise<void> {
  const { pair, review, decision, run, ordinal } = about;
  const versions = versionsIn(pair);
  if (pair.texts !== undefined) {
    await reviews.blobs.keep(pair.noteBlob, pair.texts.note);
    await reviews.blobs.keep(pair.gateBlob, pair.texts.gate);
  }
  const { summary, suggestedRevision } = review;
  const at = timeOf(pair.at, tools);
  const model = partition(tools, pair.model);
  const filed = { ...versions, model, decision, review: `${run}/${ordinal}`, at };
  await reviews.gateReviews.insert({
    ...{ ...filed, run, text: pair.text, ...defined({ summary, suggestedRevision }) },
    findings: findingRows(versions, review.findings, tools.digest),
  });
  await reviews.acceptances.append({ ...filed, kind: "migration-import", format: importFormat });
}

/** What the column says, else what can be read out of the review itself. */
function decisionOf(pair: OriginalPair, review: ParsedGateReview): ReviewDecision {
  const written = reviewDecisions.find((known) => known === pair.decision);
  if (written !== undefined && written !== "unknown") return written;
  return pair.text === "" ? "unknown" : review.decision;
}

function gateIdOf({ settings }: WritingTools, gate: string): string {
  if (!gate.endsWith(".md")) return gate;
  const bare = gate.slice(0, -".md".length);
  if (bare.startsWith(`${settings.gates}/`)) return bare.slice(settings.gates.length + 1);
  return bare.split("/").slice(-2).join("/");
}

/** The original wrote local times with an offset. */
function timeOf(written: string, { clock }: WritingTools) {
  const millis = Date.parse(written);
  return Number.isNaN(millis) ? clock.now() : instantFromMillis(millis);
}
