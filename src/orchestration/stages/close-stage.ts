import { type CloseDecision, decideClose } from "../../domain/stages/close-stage.ts";
import { ConfigurationError, WorkflowError } from "../../domain/values/workflow-error.ts";
import type { StageCatalog } from "./list-stages.ts";
import { readSummary } from "./load-stage.ts";
import { type Recording, recordStage } from "./record-stage.ts";
import { refuseWhileCoding, type Stage, type StageParts, type StageState } from "./stage.ts";

export interface Confirmation extends Recording {
  /** Who looked and confirms. */
  readonly confirmedBy: string;
  readonly reason?: string;
}

export interface Closed {
  readonly decision: CloseDecision;
  readonly state: StageState;
}

/** The final human confirmation; refused while the gate is not open. */
export async function closeStage(
  parts: StageParts,
  stage: Stage,
  { seen, ...act }: Confirmation,
): Promise<Closed> {
  let decision: CloseDecision | undefined;
  const state = await recordStage(
    parts,
    stage,
    (before) => {
      refuseWhileCoding(before);
      decision = decideClose(before.history, act);
      return decision.kind === "close"
        ? { entries: [{ event: decision.event, evidence: {} }] }
        : {};
    },
    seen === undefined ? {} : { seen },
  );
  if (decision === undefined) throw new Error("a decision is missing");
  return { decision, state };
}

/** Stages that can be changed by their ids, for whoever has no manifest at hand. */
export interface StageStore extends StageCatalog, StageParts {
  /** Reads manifest and pack anew; throws what is wrong with them. */
  readonly openStage: (manifestPath: string) => Stage;
}

/**
 * `closeStage` for a stage that is known by its id: what the studio does. `seen` is the length of the history that
 * the person looked at; a stage that moved since is `stage-moved`, and nothing is done.
 */
export async function confirmStage(
  store: StageStore,
  stageId: string,
  confirmation: Confirmation,
): Promise<Closed> {
  const folder = `${store.stagesFolder}/${stageId}`;
  const isThere = (await store.folders.names(store.stagesFolder)).includes(stageId);
  const summary = isThere ? await readSummary(store, folder) : undefined;
  if (summary === undefined) {
    throw new WorkflowError(`There is no stage ${stageId}.`, {
      code: "stage-unknown",
      facts: { stage_id: stageId },
    });
  }
  const stage = summary.manifest === undefined ? undefined : store.openStage(summary.manifest);
  if (stage?.folder !== folder) {
    throw new ConfigurationError(`The manifest of stage ${stageId} is not where it was.`, {
      code: "stage-manifest-moved",
      facts: { stage_id: stageId },
      hint: "Run `signoff stage summarize --manifest FILE` with the manifest that it has now.",
    });
  }
  return await closeStage(store, stage, confirmation);
}
