import { z } from "zod";
import {
  checkProtocolIteration,
  makeProtocolState,
  type ProtocolIteration,
  type ProtocolState,
} from "../../domain/episodes/protocol-state.ts";
import { jsonText } from "../documents/json-text.ts";
import { type CamelCaseKeys, snakeCaseKeys } from "../documents/stored-keys.ts";
import { storedCandidate, toCandidate } from "./candidate-file.ts";
import { parseJsonFile } from "./json-file.ts";
import { storedReview, toReview } from "./review-file.ts";
import { storedAssetId } from "./stored-values.ts";

/** `copy/protocol/<asset>/iteration_NN.json`. */
export const storedIteration = z.strictObject({
  creator: z.strictObject({ candidate: storedCandidate, done: z.boolean() }),
  iteration: z.int().min(1),
  reviewer: storedReview,
  version: z.literal(1).default(1),
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
  version: z.literal(1).default(1),
});

export function parseProtocolIteration(
  text: string,
  file: string,
  assetId: string,
): ProtocolIteration {
  return parseJsonFile({ file, text }, storedIteration, (stored) => {
    const iteration = toIteration(stored);
    checkProtocolIteration(iteration, assetId);
    return iteration;
  });
}

export function renderProtocolIteration(iteration: ProtocolIteration): string {
  return jsonText(snakeCaseKeys(storedIteration, fromIteration(iteration)));
}

export function parseProtocolState(text: string, file: string): ProtocolState {
  return parseJsonFile(
    { file, text },
    storedProtocolState,
    ({ version: _, iterations, ...stored }) =>
      makeProtocolState({ ...stored, iterations: iterations.map(toIteration) }),
  );
}

export function renderProtocolState({ iterations, decision, ...state }: ProtocolState): string {
  const lockedFields = [...(decision?.lockedFields ?? [])].sort();
  const stored = {
    ...state,
    ...(decision === undefined ? {} : { decision: { ...decision, lockedFields } }),
    iterations: iterations.map(fromIteration),
    version: 1 as const,
  };
  return jsonText(snakeCaseKeys(storedProtocolState, stored));
}

type StoredIteration = CamelCaseKeys<z.output<typeof storedIteration>>;

function toIteration({ iteration, creator, reviewer }: StoredIteration): ProtocolIteration {
  const { candidate, done: creatorDone } = creator;
  return { iteration, creatorDone, candidate: toCandidate(candidate), review: toReview(reviewer) };
}

function fromIteration(one: ProtocolIteration): StoredIteration {
  const { iteration, candidate, creatorDone: done, review: reviewer } = one;
  return { creator: { candidate, done }, iteration, reviewer, version: 1 };
}
