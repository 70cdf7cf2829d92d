import { writeStageArtifact } from "../../contract/stages/stage-artifacts.ts";
import { ownLists } from "../../domain/scenarios/check-rules.ts";
import type {
  ConversationPair,
  RunReview,
  RunReviewRules,
} from "../../domain/scenarios/conversation-review.ts";
import { blocksAcceptance } from "../../domain/scenarios/finding.ts";
import { handOver } from "../../domain/scenarios/hand-off.ts";
import { matchConversation } from "../../domain/scenarios/match-conversation.ts";
import { countOpen } from "../../domain/scenarios/repair-targets.ts";
import { decideClosingGate } from "../../domain/stages/closing-gate.ts";
import { openFindings } from "../../domain/stages/open-findings.ts";
import type { RunIngested, StageEntry } from "../../domain/stages/stage-history.ts";
import { defined } from "../../domain/values/defined.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { RecordFile } from "../../ports/record-files.ts";
import { renderHandOff } from "../scenarios/loop-files.ts";
import { reviewImportedRun } from "../scenarios/review-imported-run.ts";
import { findingOf, questionIdentityOf } from "./load-replays.ts";
import { askedElsewhere } from "./question-identity.ts";
import { type Recording, recordDecision } from "./record-stage.ts";
import {
  evidenceIn,
  replayCommand,
  type Stage,
  type StageParts,
  type StageReading,
  type StageState,
} from "./stage.ts";
import { decisionLines } from "./stage-files.ts";

export interface IngestRequest extends Recording {
  readonly runId: string;
  readonly pairs: readonly ConversationPair[];
  readonly rules: RunReviewRules;
  /** Who brings it in. */
  readonly by: string;
  /** When it was held; without it, it proves nothing. */
  readonly heldAt?: string;
}

export interface IngestedRun {
  readonly state: StageState;
  readonly review: RunReview;
}

const evidenceNames = ["run_review.json", "conversation_pairs.json", "repair_targets.json"];

/**
 * Files the review of a run made elsewhere under the stage. After a repair it may be its validation, so a conversation
 * that was ingested before is refused: it was held before the repair.
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
  const { state, result: review } = await recordDecision(parts, stage, request, async (before) => {
    const conversation = parts.digest(conversationOf(pairs));
    const name = freeName(before, { runId, conversation, ...defined({ heldAt: request.heldAt }) });
    const place = `gui_run_reviews/${name}`;
    const { review: result } = await reviewImportedRun(
      parts.folders,
      { runId, pairs, folder: `${stage.folder}/${place}` },
      rules,
    );
    parts.crash.reach("run-review-filed");
    const event = ingestedEvent(parts, { review: result, request, conversation });
    const files = evidenceNames.map((file) => `${place}/${file}`);
    const evidence = await evidenceIn(parts, stage, files);
    const after = { ...before, history: [...before.history, event] };
    const handOff = handOffFiles(stage, after, { place, event });
    return { result, change: { entries: [{ event, evidence }], files: handOff } };
  });
  return { state, review };
}

function ingestedEvent(
  { digest }: StageReading,
  about: {
    readonly review: RunReview;
    readonly request: IngestRequest;
    readonly conversation: string;
  },
): RunIngested {
  const { review, request, conversation } = about;
  const { runId, by, heldAt } = request;
  const { scenarios, isUsable } = request.rules;
  const matched = matchConversation(review.pairs, scenarios, isUsable);
  const asked = askedElsewhere(review.pairs, matched, digest);
  const open = countOpen(review.repairTargets);
  return {
    kind: "run-ingested",
    runId,
    openP0: open.P0,
    openP1: open.P1,
    questions: review.pairs.map(({ question }) => question),
    ...{ by, conversation, ...defined({ heldAt, checkLists: ownLists(request.rules.rules) }) },
    asked: asked.map(({ pairId: _, ...question }) => question),
    findings: review.repairTargets.filter(blocksAcceptance).flatMap((target) =>
      target.occurrences.flatMap(({ stepId }) => {
        const question = asked.find(({ pairId }) => pairId === stepId);
        return question === undefined
          ? []
          : [{ ...findingOf(target), ...questionIdentityOf(question), isVisible: true }];
      }),
    ),
  };
}

/**
 * A folder that no recorded run uses. The same conversation under another name is refused, unless it had no date before
 * and has one now that is not later than its first import.
 */
function freeName(
  { entries }: StageState,
  { runId, conversation, heldAt }: Pick<RunIngested, "runId" | "conversation" | "heldAt">,
): string {
  const taken = new Set<string>();
  for (const { event, evidence, at } of entries) {
    if (event.kind !== "run-ingested") continue;
    taken.add(evidenceFolderOf({ evidence }).split("/")[1] ?? "");
    const isDatedNow = event.heldAt === undefined && heldAt !== undefined && heldAt <= at;
    if (event.conversation === conversation && !isDatedNow) {
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

/** Where the review of an ingested run was filed. */
export function evidenceFolderOf({ evidence }: Pick<StageEntry, "evidence">): string {
  const [file = ""] = Object.keys(evidence);
  return file.split("/").slice(0, 2).join("/");
}

/** `stage_repair_handoff`: everything that is open, enough to start the repair without the conversation. */
export function handOffFiles(
  stage: Stage,
  now: StageState,
  { event, place }: { readonly event: RunIngested; readonly place: string },
): readonly RecordFile[] {
  const { runId, openP0, openP1 } = event;
  const targets = openFindings(now.history).map(({ target }) => target);
  const handOff = handOver(targets, {
    title: stage.manifest.moduleName,
    reasons: [
      `run ${runId}: ${openP0} P0, ${openP1} P1`,
      ...decideClosingGate(now.history, now.terms).reasons,
      ...decisionLines(now.history),
    ],
    hints: stage.manifest.fileHints,
    validationCommand: replayCommand(stage, now),
  });
  const about = {
    from: `From \`${place}\`. `,
    none: "Nothing to repair.",
    allIn: "stage_repair_handoff.json",
  };
  return [
    {
      name: "stage_repair_handoff.json",
      content: writeStageArtifact("stage_repair_handoff.json", handOff),
    },
    { name: "stage_repair_handoff.md", content: renderHandOff(handOff, about) },
  ];
}
