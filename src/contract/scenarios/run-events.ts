import { z } from "zod";
import {
  type AssistantAnswer,
  type AssistantOutcome,
  TRANSPORT_FAILURES,
} from "../../domain/scenarios/turn.ts";
import type { Json } from "../../domain/values/json.ts";
import { codec, fromStored } from "../documents/codec.ts";
import { type Frozen, toWire } from "../documents/snake-case.ts";
import {
  json,
  loopIterationShape,
  loopStateShape,
  packStateShape,
  repairTargetShape,
  scenarioStateShape,
  stepRecordShape,
} from "./artifact-shapes.ts";

const answerShape = z.strictObject({
  text: z.string(),
  sessionId: z.string().exactOptional(),
  replyType: z.string().exactOptional(),
  messageId: z.string().exactOptional(),
  traceId: z.string().exactOptional(),
  version: z.string().exactOptional(),
  debug: json,
  entries: z.array(json),
  semanticMemory: json,
  toolCalls: z.array(z.strictObject({ name: z.string(), arguments: json })).exactOptional(),
  raw: json,
}) satisfies z.ZodType<AssistantAnswer>;

const failureShape = z.strictObject({
  kind: z.enum(TRANSPORT_FAILURES),
  message: z.string(),
  accepted: z.boolean(),
  httpStatus: z.int().exactOptional(),
  retryAfterMs: z.int().exactOptional(),
  excerpt: z.string().exactOptional(),
});

const outcomeShape = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("answered"),
    answer: answerShape,
    recovered: z.boolean().exactOptional(),
    latencyMs: z.number().min(0).exactOptional(),
  }),
  z.strictObject({ kind: z.literal("failed"), failure: failureShape }),
]) satisfies z.ZodType<AssistantOutcome>;

/** One question and what came of it: the only thing about the assistant that a run believes. */
const turnTakenShape = z.strictObject({
  question: z.string(),
  startedAt: z.string(),
  finishedAt: z.string(),
  outcome: outcomeShape,
  /** Digest of how the settings had it asked, its answer read, and both masked; absent in runs of older versions. */
  setup: z.string().exactOptional(),
  /** The session as the assistant reported it after the turn; recorded apart, once the answer is safe. */
  session: json.exactOptional(),
});

export const { encode: writeTurn, decode: readTurn } = codec(turnTakenShape);

const place = { folder: z.string() };
const runKind = z.enum(["pack", "pack-loop", "scenario", "case"]);
const manifest = { kind: runKind, specHash: z.string() };

/** Every event that a scenario or pack run emits, by kind. */
const RUN_EVENTS = {
  "scenario-began": z.strictObject({
    ...place,
    /** As `scenario_manifest.json` holds it. */
    scenario: json,
    /** Absent for a scenario inside a pack. */
    own: z.strictObject(manifest).exactOptional(),
  }),
  "scenario-restarted": z.strictObject({
    ...place,
    attempt: z.int().min(1),
    because: z.string(),
  }),
  "step-judged": z.strictObject({
    ...place,
    scenarioId: z.string(),
    domain: z.string(),
    stepIndex: z.int().min(1),
    analysisContext: z.record(z.string(), json),
    /** Where the journal has its turn, which is kept once; absent where nothing was asked. */
    turnKey: z.string().exactOptional(),
    record: stepRecordShape,
  }),
  "scenario-judged": z.strictObject({
    ...place,
    state: scenarioStateShape,
    own: z.strictObject(manifest).exactOptional(),
  }),
  "case-judged": z.strictObject({
    ...place,
    /** `baseline`, or `rerun` after a repair. */
    label: z.enum(["baseline", "rerun"]),
    scenario: json,
    specHash: z.string(),
    state: scenarioStateShape,
    turn: turnTakenShape.exactOptional(),
  }),
  "pack-began": z.strictObject({ ...place, pack: json, specHash: z.string() }),
  "pack-judged": z.strictObject({
    ...place,
    specHash: z.string(),
    /** How often each scenario was played. The results are in the scenarios' own files. */
    repeat: z.int().min(1),
    state: packStateShape,
    /** False while an analyst has still to judge the run. */
    final: z.boolean(),
  }),
  "loop-began": z.strictObject({
    ...place,
    specHash: z.string(),
    packId: z.string(),
    /** Iterations of earlier runs in the same folder. */
    iterationsBefore: z.int().min(0),
  }),
  "iteration-judged": z.strictObject({
    ...place,
    iteration: loopIterationShape,
    verdict: z.string(),
    /** Of several analysts, by name. */
    verdicts: z.record(z.string(), z.string()).exactOptional(),
  }),
  "coder-began": z.strictObject({ ...place, prompt: z.string() }),
  "coder-ended": z.strictObject({ ...place, prompt: z.string(), result: z.string() }),
  "loop-stopped": z.strictObject({
    ...place,
    specHash: z.string(),
    title: z.string(),
    state: loopStateShape,
    summary: z.string(),
    targets: z.array(repairTargetShape),
    reasons: z.array(z.string()),
    candidateFiles: z.array(z.string()),
    validationCommand: z.string(),
    /** False while the loop waits for a person's answer. */
    finished: z.boolean(),
  }),
} as const;

export type RunEventKind = keyof typeof RUN_EVENTS;
export type RunEventData<K extends RunEventKind> = Frozen<z.output<(typeof RUN_EVENTS)[K]>>;
export type TurnTaken = Frozen<z.output<typeof turnTakenShape>>;

export function writeRunEvent<K extends RunEventKind>(
  kind: K,
  data: RunEventData<K>,
): { readonly kind: K; readonly data: Json } {
  return { kind, data: toWire(RUN_EVENTS[kind], data as never, { absent: "omit" }) };
}

export function readRunEvent<K extends RunEventKind>(kind: K, data: Json): RunEventData<K> {
  return fromStored(RUN_EVENTS[kind], data) as RunEventData<K>;
}
