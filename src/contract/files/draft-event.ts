import { z } from "zod";
import type { DraftEvent } from "../../domain/drafting/events.ts";
import type { Json } from "../../domain/values/json.ts";
import { lazily } from "../../domain/values/lazily.ts";
import { fromWire, toWire } from "../snake-case.ts";
import { candidateShape, issueAnswerShape } from "./candidate.ts";
import { decisionShape, iterationShape } from "./iteration.ts";
import { raisedIssueShape, reviewShape } from "./review.ts";
import { usageShape } from "./usage.ts";
import { instantShape } from "./values.ts";

const draftEventShape = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("loop-started"),
    assetId: z.string(),
    recipe: z.string(),
    brief: z.string(),
    creatorModel: z.string(),
    reviewers: z.array(z.object({ label: z.string(), model: z.string() })),
    maxTurns: z.int(),
    standIn: z.boolean(),
    createdAt: instantShape,
  }),
  z.object({
    kind: z.literal("phase-entered"),
    phase: z.enum(["initialized", "generating", "reviewing", "deciding", "completed"]),
    turn: z.int(),
  }),
  z.object({
    kind: z.literal("candidate-written"),
    turn: z.int(),
    index: z.int(),
    candidate: candidateShape,
    done: z.boolean(),
    answers: z.array(issueAnswerShape),
    checks: z.array(raisedIssueShape),
    durationSeconds: z.number(),
  }),
  z.object({
    kind: z.literal("review-received"),
    turn: z.int(),
    index: z.int(),
    review: reviewShape,
    durationSeconds: z.number(),
  }),
  z.object({
    kind: z.literal("iteration-recorded"),
    iteration: iterationShape,
    durationSeconds: z.number(),
    finishedAt: instantShape,
    usage: usageShape,
  }),
  z.object({
    kind: z.literal("loop-decided"),
    decision: decisionShape,
    decidedAt: instantShape,
  }),
]) satisfies z.ZodType<DraftEvent>;

/** An event as flows emit it and stores keep it. */
export interface EncodedDraftEvent {
  readonly kind: string;
  readonly data: Json;
}

/** Encoded when its data is first read, which for an event that a replay emits again is mostly never. */
export function encodeDraftEvent(event: DraftEvent): EncodedDraftEvent {
  const data = lazily(() => {
    const { kind: _kind, ...rest } = toWire(draftEventShape, event, { absent: "omit" }) as {
      readonly [name: string]: Json;
    };
    return rest;
  });
  return {
    kind: event.kind,
    get data() {
      return data();
    },
  };
}

/** Throws `z.ZodError` for a kind or shape that no drafting loop emits. */
export function decodeDraftEvent({ kind, data }: EncodedDraftEvent): DraftEvent {
  const members = typeof data === "object" && data !== null ? data : {};
  return fromWire(draftEventShape, { ...members, kind });
}
