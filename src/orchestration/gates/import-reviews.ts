import { isSettled, type ReviewDecision, reviewDecisions } from "../../domain/gates/decision.ts";
import { modelPartition } from "../../domain/gates/model-partition.ts";
import { defined } from "../../domain/values/defined.ts";
import { runId } from "../../domain/values/ids.ts";
import { instantFromMillis } from "../../domain/values/instant.ts";
import type { OriginalPair } from "../../ports/original-reviews.ts";
import type { ReviewRepos } from "../../ports/review-repos.ts";
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
  const counts = { imported: 0, known: 0, undecided: 0, gone: 0 };
  await tools.store.transaction(async ({ reviews }) => {
    Object.assign(counts, { imported: 0, known: 0, undecided: 0, gone: 0 });
    for (const original of pairs) {
      const model = names.size === 0 ? original.model : names.get(partition(tools, original.model));
      if (model === undefined) continue;
      const pair = { ...original, model, gate: gateIdOf(tools, original.gate) };
      if (notes.has(pair.notePath) && gates.has(pair.gate))
        counts[await importPair(tools, reviews, { pair, newId: about.newId })] += 1;
      else counts.gone += 1;
    }
  });
  const byModel = [...Map.groupBy(pairs, ({ model }) => model)];
  const partitions = byModel.map(([model, own]) => ({ model, pairs: own.length }));
  return { ...counts, partitions, lock: await writeLock(tools) };
}

function partition({ settings }: WritingTools, model: string): string {
  return modelPartition(model, settings);
}

async function importPair(
  tools: WritingTools,
  reviews: ReviewRepos,
  { pair, newId }: { readonly pair: OriginalPair; readonly newId: () => string },
): Promise<"imported" | "known" | "undecided"> {
  const { notePath, noteBlob, gate: gateId, gateBlob, text } = pair;
  const review = parseReview(gateId, text);
  const decision = decisionOf(pair, review);
  const model = partition(tools, pair.model);
  if (!isSettled(decision)) return "undecided";
  const current = await reviews.acceptances.currentOf(notePath);
  if (current.some((row) => row.gateId === gateId && row.model === model)) return "known";
  const at = timeOf(pair.at, tools);
  const run = runId(newId());
  await reviews.runs.insert({
    ...{ run, plan: `import/${run}`, shape: "bundle", model, askedModel: pair.model },
    ...{ format: importFormat, createdAt: at },
  });
  await reviews.runs.complete(run, { at });
  const versions = { notePath, noteBlob, gateId, gateBlob };
  await reviews.runGates.insertMany(run, [{ ordinal: 0, ...versions }]);
  if (pair.texts !== undefined) {
    await reviews.blobs.keep(noteBlob, pair.texts.note);
    await reviews.blobs.keep(gateBlob, pair.texts.gate);
  }
  const { summary, suggestedRevision } = review;
  const filed = { ...versions, model, decision, review: `${run}/0`, at };
  await reviews.gateReviews.insert({
    ...{ ...filed, run, text, ...defined({ summary, suggestedRevision }) },
    findings: findingRows({ gateId, notePath }, review.findings, tools.digest),
  });
  await reviews.acceptances.append({ ...filed, kind: "migration-import", format: importFormat });
  return "imported";
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
