import { writeStageArtifact } from "../../contract/stages/write-stage-artifact.ts";
import type {
  ConversationPair,
  RunReview,
  RunReviewRules,
} from "../../domain/scenarios/conversation-review.ts";
import { handOver } from "../../domain/scenarios/hand-off.ts";
import { decideClosingGate } from "../../domain/stages/closing-gate.ts";
import { defined } from "../../domain/values/defined.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { RecordFile } from "../../ports/record-files.ts";
import { findArtifact } from "../scenarios/artifact-files.ts";
import { renderHandOff } from "../scenarios/loop-files.ts";
import { reviewImportedRun } from "../scenarios/review-imported-run.ts";
import { type Recording, recordStage } from "./record-stage.ts";
import {
  evidenceIn,
  type NewEntry,
  replayCommand,
  type Stage,
  type StageParts,
  type StageState,
} from "./stage.ts";

export interface IngestRequest extends Recording {
  readonly runId: string;
  readonly pairs: readonly ConversationPair[];
  readonly rules: RunReviewRules;
}

export interface IngestedRun {
  readonly state: StageState;
  readonly review: RunReview;
}

export const evidenceNames = ["run_review.json", "conversation_pairs.json", "repair_targets.json"];

/**
 * Files the review of a run made elsewhere under the stage. After a patch it is the validation of that patch, so a
 * conversation that was ingested before is refused: it was held before the repair.
 */
export async function ingestRun(
  parts: StageParts,
  stage: Stage,
  request: IngestRequest,
): Promise<IngestedRun> {
  const { runId, pairs, rules } = request;
  if (pairs.length === 0) {
    throw new ConfigurationError(`Run ${runId} has no question with an answer.`, {
      code: "run-empty",
      facts: { run_id: runId },
    });
  }
  let review: RunReview | undefined;
  const state = await recordStage(
    parts,
    stage,
    async (before) => {
      const name = await freeName(parts, stage, { before, runId, pairs });
      const place = `gui_run_reviews/${name}`;
      const reviewed = await reviewImportedRun(
        parts.folders,
        { runId, pairs, folder: `${stage.folder}/${place}` },
        rules,
      );
      parts.crash.reach("run-review-filed");
      review = reviewed.review;
      const files = evidenceNames.map((file) => `${place}/${file}`);
      return {
        entries: [ingestedEntry(review, await evidenceIn(parts, stage, files))],
        files: handOffFiles(stage, before, { ...review, place }),
      };
    },
    defined({ seen: request.seen }),
  );
  if (review === undefined) throw new Error("a recorded review is missing");
  return { state, review };
}

export function ingestedEntry(
  { runId, counts, pairs }: Pick<RunReview, "runId" | "counts" | "pairs">,
  evidence: NewEntry["evidence"],
): NewEntry {
  const questions = pairs.map(({ question }) => question);
  const open = { openP0: counts.P0, openP1: counts.P1 };
  return { event: { kind: "run-ingested", runId, ...open, questions }, evidence };
}

/** A folder that no recorded run uses. The same conversation under another name is refused. */
async function freeName(
  { folders }: StageParts,
  { folder }: Stage,
  about: {
    readonly before: StageState;
    readonly runId: string;
    readonly pairs: readonly ConversationPair[];
  },
): Promise<string> {
  const { before, runId, pairs } = about;
  const content = conversationOf(pairs);
  const taken = new Set<string>();
  for (const { event, evidence } of before.entries) {
    if (event.kind !== "run-ingested") continue;
    const [file = ""] = Object.keys(evidence);
    const place = file.split("/").slice(0, 2).join("/");
    taken.add(place.split("/")[1] ?? "");
    const known = await findArtifact(folders, `${folder}/${place}`, "conversation_pairs.json");
    if (known !== undefined && conversationOf(known.pairs) === content) {
      throw new ConfigurationError(
        `Run ${event.runId} is this very conversation, and is already ingested.`,
        {
          code: "run-already-ingested",
          facts: { run_id: runId, same_as: event.runId },
          hint: "A validation needs a conversation that was held after the repair.",
        },
      );
    }
  }
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? runId : `${runId}.${number}`;
    if (!taken.has(name)) return name;
  }
}

/** Questions and answers only, without the names of sessions. */
function conversationOf(pairs: readonly ConversationPair[]): string {
  return JSON.stringify(pairs.map(({ question, answer }) => [question, answer]));
}

/** `stage_repair_handoff`: enough to start the repair without the conversation. */
export function handOffFiles(
  stage: Stage,
  before: StageState,
  review: RunReview & { readonly place: string },
): readonly RecordFile[] {
  const handOff = handOver(review.repairTargets, {
    title: stage.manifest.moduleName,
    reasons: [
      `run ${review.runId}: ${review.counts.P0} P0, ${review.counts.P1} P1`,
      ...decideClosingGate(before.history).reasons,
    ],
    hints: stage.manifest.fileHints,
    validationCommand: replayCommand(stage, before),
  });
  const about = { from: `From \`${review.place}\`. `, none: "Nothing to repair." };
  return [
    {
      name: "stage_repair_handoff.json",
      content: writeStageArtifact("stage_repair_handoff.json", handOff),
    },
    { name: "stage_repair_handoff.md", content: renderHandOff(handOff, about) },
  ];
}
