import { z } from "zod";
import { jsonWriter } from "../documents/codec.ts";
import { objects, optionalObject } from "../documents/shapes.ts";
import { instantShape } from "../drafting/values.ts";
import { notesStatusShape, planShape, workShape } from "./notes.ts";
import { by, reason } from "./parts.ts";
import type { RouteTable } from "./route.ts";

/** Made from the path, so that no request holds one. */
const noteIdShape = z.string().regex(/^[0-9a-f]{16}$/, "is not the id of a note");
const gateIdShape = z.string().min(1).max(200);
const version = z.string().regex(/^[0-9a-f]{16}$/, "is not a version");
const modelShape = z.string().max(200).exactOptional();

/**
 * The matrix without an object for each cell: `cells[n]` has one letter for each gate. `p` pass, `w` warn, `f` fail,
 * `m` never reviewed, `g` gate changed, `n` note changed, `u` undecided, `-` does not apply. Verdicts are those after
 * people's rulings.
 */
const matrixShape = z.object({
  models: z.array(z.string()),
  model: z.string(),
  gates: z.array(z.string()),
  noteIds: z.array(z.string()),
  notes: z.array(z.string()),
  cells: z.array(z.string()),
  problems: objects({ path: z.string(), message: z.string() }),
});

export const matrixToJson = jsonWriter(matrixShape, "omit");

const stalenessShape = z.object({
  days: objects({
    day: z.string(),
    fresh: z.int(),
    /** Accepted before, but not in the versions of that day. */
    changed: z.int(),
    neverReviewed: z.int(),
  }),
});

export const stalenessToJson = jsonWriter(stalenessShape, "omit");

const findingShape = z.object({
  fingerprint: z.string(),
  severity: z.string(),
  message: z.string(),
  quote: z.string().exactOptional(),
  line: z.int().exactOptional(),
  survivesRewording: z.boolean(),
  /** Why it was dismissed, if it was. */
  dismissed: z.string().exactOptional(),
});

const pairShape = z.object({
  noteId: z.string(),
  note: z.string(),
  gate: z.string(),
  gateDescription: z.string().exactOptional(),
  model: z.string(),
  version: z.string(),
  state: z.enum(["fresh", "stale", "undecided"]),
  reason: z.string().exactOptional(),
  trivial: z.boolean(),
  /** Why it is what it is, with the versions that decided it. */
  sentence: z.string(),
  isRule: z.boolean(),
  canAcknowledge: z.boolean(),
  text: z.string(),
  /** The accepted text, if it differs and is still known. */
  acceptedText: z.string().exactOptional(),
  accepted: optionalObject({ decision: z.string(), kind: z.string() }),
  review: optionalObject({
    decision: z.string(),
    summary: z.string().exactOptional(),
    suggestedRevision: z.string().exactOptional(),
    raw: z.string(),
    at: instantShape,
    /** It reviews exactly the present text. */
    isCurrent: z.boolean(),
    findings: z.array(findingShape),
  }),
});

const progressShape = z.object({
  state: z.enum(["idle", "running", "done", "failed"]),
  planned: z.int(),
  completed: z.int(),
  failed: z.int(),
  message: z.string().exactOptional(),
});

const scope = {
  noteIds: z.array(noteIdShape).max(10_000).exactOptional(),
  gates: z.array(gateIdShape).max(500).exactOptional(),
  model: modelShape,
  limit: z.int().min(1).max(1_000_000).exactOptional(),
  retryUndecided: z.boolean().exactOptional(),
  /** Reviews pairs that are fresh as well. */
  again: z.boolean().exactOptional(),
};

const pair = { noteId: noteIdShape, gate: gateIdShape, model: modelShape };

/** The lines of the table that are about notes. */
export const noteRoutes = {
  "GET /api/v1/notes/status": {
    summary: "Stale pairs with reasons and cost, as `signoff notes status --json` prints it",
    query: z.object({ model: modelShape }),
    answers: { 200: notesStatusShape },
  },
  "GET /api/v1/notes/matrix": {
    summary: "Every note against every gate, one letter for each pair",
    query: z.object({ model: modelShape }),
    answers: { 200: matrixShape },
  },
  "GET /api/v1/notes/staleness": {
    summary: "How many of the present pairs were fresh at the end of each of the last days",
    query: z.object({
      model: modelShape,
      days: z.coerce.number().int().min(1).max(92).exactOptional(),
    }),
    answers: { 200: stalenessShape },
  },
  "GET /api/v1/notes/pair": {
    summary:
      "One pair: the note's text, its review and findings, what changed since it was accepted",
    query: z.object(pair),
    answers: { 200: pairShape },
    problems: ["note-unknown", "pair-not-applicable"],
  },
  "POST /api/v1/notes/acknowledge": {
    role: "decide",
    summary: "Say that the earlier review still holds, as a person",
    body: z.strictObject({ ...pair, version, reason, by }),
    answers: { 200: pairShape },
    problems: ["note-unknown", "pair-not-applicable", "pair-moved", "never-reviewed"],
  },
  "POST /api/v1/notes/override": {
    role: "decide",
    summary: "Put another verdict in the place of the one that counts, as a person",
    body: z.strictObject({
      ...{ ...pair, version, reason, by },
      decision: z.enum(["pass", "warn", "fail"]),
    }),
    answers: { 200: pairShape },
    problems: ["note-unknown", "pair-not-applicable", "pair-moved", "pair-stale"],
  },
  "POST /api/v1/notes/dismiss": {
    role: "decide",
    summary: "Dismiss a finding, as a person",
    body: z.strictObject({
      fingerprint: z.string().regex(/^[0-9a-f]{8,64}$/, "is not a fingerprint"),
      reason,
      by,
    }),
    answers: { 200: findingShape },
    problems: ["finding-unknown", "already-dismissed"],
  },
  "GET /api/v1/notes/work": {
    summary: "The fix queue, as `signoff notes warns --json` prints it",
    query: z.object({ dismissed: z.enum(["true", "false"]).exactOptional() }),
    answers: { 200: workShape },
  },
  "POST /api/v1/notes/plan": {
    role: "look",
    summary: "What a review would ask and cost; nothing is asked",
    body: z.strictObject(scope),
    answers: { 200: planShape.extend({ version: z.string() }) },
    problems: ["note-unknown", "gate-unknown", "model-not-found"],
  },
  "POST /api/v1/notes/review": {
    role: "run",
    summary: "Review what is stale, by the plan that was seen; its runs are in the list of runs",
    body: z.strictObject({ ...scope, version, by }),
    answers: { 202: progressShape },
    problems: [
      "note-unknown",
      "gate-unknown",
      "model-not-found",
      "gate-dirty",
      "plan-moved",
      "review-running",
      "nothing-to-do",
    ],
  },
  "GET /api/v1/notes/review": {
    summary: "How far the review that this server does has come",
    answers: { 200: progressShape },
  },
} as const satisfies RouteTable;
