import { z } from "zod";
import type { DraftEvent } from "../../domain/drafting/events.ts";
import type { Json } from "../../domain/values/json.ts";
import { fromStored } from "../documents/codec.ts";
import { objects } from "../documents/shapes.ts";
import { toWire } from "../documents/snake-case.ts";
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
    reviewers: objects({ label: z.string(), model: z.string() }),
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
    rule: z.int().exactOptional(),
    decidedAt: instantShape,
  }),
]) satisfies z.ZodType<DraftEvent>;

/** An event as flows emit it and stores keep it. */
export interface EncodedDraftEvent {
  readonly kind: string;
  readonly data: Json;
}

export function encodeDraftEvent(event: DraftEvent): EncodedDraftEvent {
  return new LateEncoding(event);
}

/**
 * Encoded when its data is read, which for an event that a replay emits again is mostly never. A class, because V8
 * keeps a shape for each object that is written with a getter, and with the shape what the getter knows.
 */
class LateEncoding implements EncodedDraftEvent {
  readonly #event: DraftEvent;

  constructor(event: DraftEvent) {
    this.#event = event;
  }

  get kind(): string {
    return this.#event.kind;
  }

  get data(): Json {
    const wire = toWire(draftEventShape, this.#event, { absent: "omit" });
    const { kind: _, ...data } = wire as { readonly [name: string]: Json };
    return data;
  }

  toJSON(): Json {
    return { kind: this.kind, data: this.data };
  }
}

/** Throws `store-damaged` for a kind or shape that no drafting loop emits. */
export function decodeDraftEvent({ kind, data }: EncodedDraftEvent): DraftEvent {
  const members = typeof data === "object" && data !== null ? data : {};
  return fromStored(draftEventShape, { ...members, kind });
}
