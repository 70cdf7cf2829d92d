import { isSettled, type ReviewDecision, reviewDecisions } from "../../domain/gates/decision.ts";
import { modelPartition } from "../../domain/gates/model-partition.ts";
import { runId } from "../../domain/values/ids.ts";
import { instantFromMillis } from "../../domain/values/instant.ts";
import type { OriginalPair } from "../../ports/original-reviews.ts";
import { parseReview } from "../../protocol/gates/parse-review.ts";
import { type LockWritten, writeLock } from "./lock-file.ts";
import type { WritingTools } from "./notes-tools.ts";

export interface Imported {
  readonly imported: number;
  /** Pairs that have an acceptance here keep it. */
  readonly known: number;
  /** Without a decision there is nothing to take over. */
  readonly undecided: number;
  readonly lock: LockWritten;
}

const importFormat = "original";

/** Takes over what the original program accepted. Repeating it adds nothing. */
export async function importReviews(
  tools: WritingTools,
  pairs: readonly OriginalPair[],
  newId: () => string,
): Promise<Imported> {
  const counts = await tools.store.transaction(async ({ reviews }) => {
    const counts = { imported: 0, known: 0, undecided: 0 };
    for (const pair of pairs) {
      const decision = decisionOf(pair);
      const model = modelPartition(pair.model, tools.settings);
      const gateId = gateIdOf(tools, pair.gate);
      const { notePath, noteBlob, gateBlob } = pair;
      const current = (await reviews.acceptances.currentOf(notePath)).find(
        (row) => row.gateId === gateId && row.model === model,
      );
      if (!isSettled(decision)) counts.undecided += 1;
      else if (current !== undefined) counts.known += 1;
      else {
        const at = timeOf(pair.at, tools);
        const run = runId(newId());
        const review = `${run}/0`;
        await reviews.runs.insert({
          ...{ run, plan: `import/${run}`, shape: "bundle", model, askedModel: pair.model },
          ...{ format: importFormat, createdAt: at },
        });
        await reviews.runs.complete(run, { at });
        const versions = { notePath, noteBlob, gateId, gateBlob };
        await reviews.runGates.insertMany(run, [{ ordinal: 0, ...versions }]);
        const filed = { ...versions, model, decision, review, at };
        await reviews.gateReviews.insert({ ...filed, run, text: pair.text, findings: [] });
        const origin = { kind: "migration-import", format: importFormat } as const;
        await reviews.acceptances.append({ ...filed, ...origin });
        counts.imported += 1;
      }
    }
    return counts;
  });
  return { ...counts, lock: await writeLock(tools) };
}

/** What the column says, else what can be read out of the review itself. */
function decisionOf(pair: OriginalPair): ReviewDecision {
  const written = reviewDecisions.find((known) => known === pair.decision);
  if (written !== undefined && written !== "unknown") return written;
  return pair.text === "" ? "unknown" : parseReview("", pair.text).decision;
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
