import { type CloseDecision, decideClose } from "../../domain/stages/close-stage.ts";
import { defined } from "../../domain/values/defined.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import { findStage, type StageCatalog } from "./list-stages.ts";
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
    defined({ seen }),
  );
  if (decision === undefined) throw new Error("a decision is missing");
  return { decision, state };
}

/** Stages that can be changed by their ids, without naming a manifest. */
export interface StageStore extends StageCatalog, StageParts {
  /** Reads manifest and pack again; throws if either is invalid. */
  readonly openStage: (manifestPath: string) => Stage;
}

/**
 * `closeStage` by id, for the studio. `seen` is the length of the history that the person looked at; if it has grown
 * since, this throws `stage-moved` and does nothing.
 */
export async function confirmStage(
  store: StageStore,
  stageId: string,
  confirmation: Confirmation,
): Promise<Closed> {
  const { folder, summary } = await findStage(store, stageId);
  const stage = summary.manifest ? store.openStage(summary.manifest) : undefined;
  if (stage?.folder !== folder) {
    throw new ConfigurationError(`The manifest of stage ${stageId} has been moved.`, {
      code: "stage-manifest-moved",
      facts: { stage_id: stageId },
      hint: "Run `signoff stage summarize --manifest FILE` with the path of the manifest.",
    });
  }
  return closeStage(store, stage, confirmation);
}
