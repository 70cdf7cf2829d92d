import { type CloseDecision, decideClose, decideReopen } from "../../domain/stages/close-stage.ts";
import { decideClosingGate } from "../../domain/stages/closing-gate.ts";
import type { RulingGiven } from "../../domain/stages/stage-history.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import { findStage, type StageCatalog } from "./list-stages.ts";
import { type Recording, recordDecision, recordStage } from "./record-stage.ts";
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
  const { state, result: decision } = await recordDecision(parts, stage, { seen }, (before) => {
    refuseWhileCoding(before);
    const result = decideClose(before.history, act, before.terms);
    return {
      result,
      change: result.kind === "close" ? { entries: [{ event: result.event }] } : {},
    };
  });
  return { decision, state };
}

/** Opens a closed stage again. */
export function reopenStage(
  parts: StageParts,
  stage: Stage,
  { seen, ...act }: Recording & { readonly by: string; readonly reason: string },
): Promise<StageState> {
  const decide = ({ history }: StageState) => {
    const decision = decideReopen(history, act);
    if (decision.kind === "refuse") {
      throw new ConfigurationError(decision.why, { code: "stage-open" });
    }
    return { entries: [{ event: decision.event }] };
  };
  return recordStage(parts, stage, decide, { seen });
}

/** A person settles a finding, or vouches for what a coder left behind. */
export function ruleOnStage(
  parts: StageParts,
  stage: Stage,
  { seen, ...ruling }: Recording & Omit<RulingGiven, "kind" | "ruledAt">,
): Promise<StageState> {
  const decide = (before: StageState) => {
    refuseWhileCoding(before);
    requireSubject(before, ruling);
    const ruledAt = parts.clock.now();
    return { entries: [{ event: { kind: "ruling-given" as const, ...ruling, ruledAt } }] };
  };
  return recordStage(parts, stage, decide, { seen });
}

/** A ruling about nothing is a typing error. */
function requireSubject(
  { history, terms }: StageState,
  { finding, repair }: Pick<RulingGiven, "finding" | "repair">,
): void {
  const { openFindings, unprovenRepairs } = decideClosingGate(history, terms);
  const findings = [...new Set(openFindings.map(({ findingId }) => findingId))];
  const repairs = unprovenRepairs
    .filter(({ isClear }) => !isClear)
    .map(({ iterationId }) => iterationId);
  const [what, wanted, known] =
    repair === undefined ? ["finding", finding ?? "", findings] : ["repair", repair, repairs];
  if (known.includes(wanted)) return;
  const isFinding = what === "finding";
  throw new ConfigurationError(
    isFinding ? `No finding "${wanted}" is open.` : `Repair "${wanted}" needs no ruling.`,
    {
      code: isFinding ? "finding-unknown" : "repair-clear",
      facts: { [what]: wanted, known },
      hint: known.length === 0 ? "There is nothing to rule on." : `There are: ${known.join(", ")}.`,
    },
  );
}

/** Stages that can be changed by their ids, without naming a manifest. */
export interface StageStore extends StageCatalog, StageParts {
  readonly store: StageParts["store"];
  /** Reads manifest and pack again; throws if either is invalid. */
  readonly openStage: (manifestPath: string, assistantUrl?: string) => Stage;
}

/** A stage by its id, at the assistant's address of the run before. */
export async function openStageById(store: StageStore, stageId: string): Promise<Stage> {
  const { folder, summary } = await findStage(store, stageId);
  const { manifest, assistantUrl } = summary;
  const stage = manifest ? store.openStage(manifest, assistantUrl) : undefined;
  if (stage?.folder === folder) return stage;
  throw new ConfigurationError(`The manifest of stage ${stageId} has been moved.`, {
    code: "stage-manifest-moved",
    facts: { stage_id: stageId },
    hint: "Run `signoff stage summarize` with --manifest and its new path.",
  });
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
  return closeStage(store, await openStageById(store, stageId), confirmation);
}
