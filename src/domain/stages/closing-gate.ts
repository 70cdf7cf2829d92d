import { type PatchedRepair, patchedRepairs } from "./repair-validation.ts";
import type { LoopFinished, RunIngested, StageHistory } from "./stage-history.ts";

/** How near a stage is to being closed; only `ready_for_manual_confirmation` can be closed. */
export const CLOSING_STATUSES = [
  "not_accepted",
  "blocked_pending_repair_validation",
  "ready_for_manual_confirmation",
  "closed",
] as const;

/** `not_accepted`: the latest loop or ingested run is not clean. `closed`: a person confirmed, and nothing came after. */
export type ClosingStatus = (typeof CLOSING_STATUSES)[number];

/** Whether a stage may be closed, and why not. */
export interface ClosingGate {
  /** The raw verdict of the latest loop. */
  readonly loopAcceptedGate: boolean;
  /** The stage's: never true while a patch is unproven. */
  readonly acceptedGate: boolean;
  readonly status: ClosingStatus;
  readonly unprovenRepairs: readonly PatchedRepair[];
  /** What keeps it shut, in words; none when it is open. */
  readonly reasons: readonly string[];
}

/** Whether the stage may be closed, over its whole history. */
export function decideClosingGate(history: StageHistory): ClosingGate {
  const loop = latest(history, "loop-finished");
  const review = latest(history, "run-ingested");
  const loopAcceptedGate = loop?.event.accepted ?? false;
  const unprovenRepairs = patchedRepairs(history).filter((repair) => !repair.isProven);
  const reviewIsOpen =
    review !== undefined &&
    review.at > (loop?.at ?? -1) &&
    review.event.openP0 + review.event.openP1 > 0;
  const reasons = [
    ...(loop === undefined ? ["no pack loop has been run"] : []),
    ...(loop !== undefined && !loopAcceptedGate
      ? [`loop ${loop.event.loopId} was not accepted`]
      : []),
    ...unprovenRepairs.map((repair) => `repair ${repair.iterationId} has no successful validation`),
    ...(reviewIsOpen ? [`run ${review.event.runId} shows open P0/P1 findings`] : []),
  ];
  const acceptedGate = reasons.length === 0;
  return {
    loopAcceptedGate,
    acceptedGate,
    status: statusOf(
      acceptedGate,
      unprovenRepairs.length > 0,
      history.at(-1)?.kind === "stage-closed",
    ),
    unprovenRepairs,
    reasons,
  };
}

/** A stage that anything happened to after its closing is open again. */
function statusOf(acceptedGate: boolean, hasUnproven: boolean, isClosed: boolean): ClosingStatus {
  if (hasUnproven) return "blocked_pending_repair_validation";
  if (!acceptedGate) return "not_accepted";
  return isClosed ? "closed" : "ready_for_manual_confirmation";
}

type Dated = { "loop-finished": LoopFinished; "run-ingested": RunIngested };

function latest<K extends keyof Dated>(
  history: StageHistory,
  kind: K,
): { readonly event: Dated[K]; readonly at: number } | undefined {
  const at = history.findLastIndex((event) => event.kind === kind);
  const event = history[at];
  return event === undefined ? undefined : { event: event as Dated[K], at };
}
