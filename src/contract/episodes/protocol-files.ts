import { z } from "zod";
import type { LoopDecision } from "../../domain/drafting/decision.ts";
import {
  checkProtocolIteration,
  makeProtocolState,
  type ProtocolIteration,
  type ProtocolState,
} from "../../domain/episodes/protocol-state.ts";
import { jsonText } from "../documents/json-text.ts";
import { fromCandidate, storedCandidate, toCandidate } from "./candidate-file.ts";
import { parseJsonFile } from "./json-file.ts";
import { fromReview, storedReview, toReview } from "./review-file.ts";
import { present, storedAssetId } from "./stored-values.ts";

/** `copy/protocol/<asset>/iteration_NN.json`. */
export const storedIteration = z.strictObject({
  creator: z.strictObject({ candidate: storedCandidate, done: z.boolean() }),
  iteration: z.int().min(1),
  reviewer: storedReview,
  version: z.literal(1),
});

/** `copy/protocol/<asset>/state.json`. */
export const storedProtocolState = z.strictObject({
  asset_id: storedAssetId,
  decision: z
    .strictObject({
      final_iteration: z.int().min(1).nullish(),
      locked_fields: z.array(z.enum(["final_iteration", "outcome", "reason"])).default([]),
      outcome: z.enum(["converged", "needs_human", "in_progress"]),
      reason: z.string().nullish(),
    })
    .nullish(),
  iterations: z.array(storedIteration),
  max_iterations: z.int().min(1),
  version: z.literal(1),
});

export function parseProtocolIteration(
  text: string,
  file: string,
  assetId: string,
): ProtocolIteration {
  return parseJsonFile(text, file, {
    shape: storedIteration,
    toValue: (stored) => {
      const iteration = toIteration(stored);
      checkProtocolIteration(iteration, assetId);
      return iteration;
    },
  });
}

export function renderProtocolIteration(iteration: ProtocolIteration): string {
  return jsonText(fromIteration(iteration));
}

export function parseProtocolState(text: string, file: string): ProtocolState {
  return parseJsonFile(text, file, {
    shape: storedProtocolState,
    toValue: (stored) =>
      makeProtocolState({
        assetId: stored.asset_id,
        maxIterations: stored.max_iterations,
        iterations: stored.iterations.map(toIteration),
        ...present("decision", toDecision(stored.decision)),
      }),
  });
}

export function renderProtocolState(state: ProtocolState): string {
  const { decision } = state;
  return jsonText({
    asset_id: state.assetId,
    decision: decision === undefined ? null : fromDecision(decision),
    iterations: state.iterations.map(fromIteration),
    max_iterations: state.maxIterations,
    version: 1,
  });
}

function toIteration(stored: z.output<typeof storedIteration>): ProtocolIteration {
  return {
    iteration: stored.iteration,
    creatorDone: stored.creator.done,
    candidate: toCandidate(stored.creator.candidate),
    review: toReview(stored.reviewer),
  };
}

function fromIteration(one: ProtocolIteration): object {
  return {
    creator: { candidate: fromCandidate(one.candidate), done: one.creatorDone },
    iteration: one.iteration,
    reviewer: fromReview(one.review),
    version: 1,
  };
}

function toDecision(
  stored: z.output<typeof storedProtocolState>["decision"],
): LoopDecision | undefined {
  if (stored === null || stored === undefined) return undefined;
  return {
    outcome: stored.outcome,
    ...present("finalIteration", stored.final_iteration),
    ...present("reason", stored.reason),
    lockedFields: stored.locked_fields,
  };
}

function fromDecision(decision: LoopDecision): object {
  return {
    final_iteration: decision.finalIteration ?? null,
    locked_fields: [...decision.lockedFields].sort(),
    outcome: decision.outcome,
    reason: decision.reason ?? null,
  };
}
