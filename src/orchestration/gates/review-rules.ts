import { parseNote } from "../../contract/documents/parse-note.ts";
import type { NoteParts } from "../../domain/gates/note-parts.ts";
import { rulePartition } from "../../domain/gates/notes-settings.ts";
import type { PairReview } from "../../domain/gates/review-job.ts";
import { evaluateRules } from "../../domain/gates/rule-gate.ts";
import { counted } from "../../domain/values/counted.ts";
import { type RunId, runId } from "../../domain/values/ids.ts";
import { gateFormatVersion } from "../../protocol/gates/format.ts";
import { writeBundleOutput } from "../../protocol/gates/write-output.ts";
import { finalizeRun } from "./finalize-review.ts";
import type { Patterns, WritingTools } from "./notes-tools.ts";
import { noteTextOf } from "./plan-work.ts";
import { type TargetPair, versionsOf } from "./target-pair.ts";

const pairsPerRun = 200;

/** Evaluates rule gates without calling a model. Each batch is one run, stored completely or not at all. */
export async function reviewRuleGates(
  tools: WritingTools,
  pairs: readonly TargetPair[],
  newId: () => string,
): Promise<number> {
  for (let at = 0; at < pairs.length; at += pairsPerRun) {
    await reviewBatch(tools, pairs.slice(at, at + pairsPerRun), runId(newId()));
  }
  return pairs.length;
}

async function reviewBatch(
  tools: WritingTools,
  batch: readonly TargetPair[],
  run: RunId,
): Promise<void> {
  const { matches } = await tools.loadPatterns();
  const parts = new Map<string, NoteParts>();
  const reviews = batch.map((pair) => judge({ ...tools, matches }, pair, parts));
  const at = tools.clock.now();
  const texts = batch.map(({ note }) => noteTextOf(tools, note.path));
  await tools.store.transaction(async ({ reviews: repos }) => {
    await repos.runs.insert({
      run,
      plan: tools.digest(
        JSON.stringify(batch.map(({ note, gate }) => [note, gate.id, gate.blobSha])),
      ),
      shape: "rule",
      model: rulePartition,
      askedModel: rulePartition,
      format: gateFormatVersion,
      createdAt: at,
    });
    const pairs = batch.map((pair, ordinal) => ({ ordinal, ...versionsOf(pair) }));
    await repos.runGates.insertMany(run, pairs);
    for (const [index, { note }] of batch.entries())
      await repos.blobs.keep(note.blobSha, texts[index] ?? "");
    for (const { gate } of batch) await repos.blobs.keep(gate.blobSha, gate.text);
    const outcome = {
      askedModel: rulePartition,
      answeredModel: rulePartition,
      partition: rulePartition,
      raw: "",
      reviews,
      missing: [],
      finishedAt: at,
    };
    await finalizeRun(repos, run, { outcome, digest: tools.digest });
  });
}

function judge(
  tools: WritingTools & Pick<Patterns, "matches">,
  { note, gate }: TargetPair,
  parsed: Map<string, NoteParts>,
): PairReview {
  const parts = parsed.get(note.path) ?? parseNote(noteTextOf(tools, note.path));
  parsed.set(note.path, parts);
  const { decision, findings } = evaluateRules(gate.rules, parts, tools.matches);
  const summary =
    findings.length === 0
      ? `${counted(gate.rules.length, "rule")} kept.`
      : `${counted(findings.length, "finding")} of ${counted(gate.rules.length, "rule")}.`;
  const review = { decision, summary, findings };
  const text = writeBundleOutput([{ gateId: gate.id, review }]);
  return { notePath: note.path, gateId: gate.id, text, ...review };
}
