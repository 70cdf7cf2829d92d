import { z } from "zod";
import { jsonWriter } from "../documents/codec.ts";
import { objects, optionalObject } from "../documents/shapes.ts";

const range = z.object({ low: z.int(), high: z.int() });
const cost = z.object({
  pairs: z.int(),
  calls: z.int(),
  inputTokens: range,
  outputTokens: range,
  microUsd: range.exactOptional(),
});
const problem = z.object({ path: z.string(), message: z.string() });
const decided = z.object({ pass: z.int(), warn: z.int(), fail: z.int() });

export const notesStatusShape = z.object({
  models: z.array(z.string()),
  notes: z.int(),
  gates: z.int(),
  pairs: z.int(),
  fresh: decided,
  counts: z.record(z.string(), z.int()),
  trivial: z.int(),
  ruled: z.object({ dismissed: z.int(), overridden: z.int(), acknowledged: z.int() }),
  attested: z.boolean(),
  stale: objects({
    note: z.string(),
    gate: z.string(),
    model: z.string(),
    reason: z.string(),
    undecidedTimes: z.int().exactOptional(),
    noteBlob: z.string(),
    acceptedNoteBlob: z.string().exactOptional(),
    diff: z.string().exactOptional(),
  }),
  cost,
  moved: objects({ oldPath: z.string(), newPath: z.string() }),
  problems: z.array(problem),
  skipped: objects({ path: z.string(), reason: z.string() }),
});

/** What `notes status --json` and the API answer. */
export const statusToJson = jsonWriter(notesStatusShape, "omit");

export const planShape = z.object({
  calls: objects({
    shape: z.string(),
    model: z.string(),
    /** The member of a panel that is asked, where it has a name of its own. */
    member: z.string().exactOptional(),
    pairs: objects({ note: z.string(), gate: z.string() }),
    inputTokens: range,
  }),
  rulePairs: z.int(),
  acknowledged: z.int(),
  leftUndecided: z.int(),
  tooLarge: objects({ note: z.string(), gate: z.string() }),
  cost,
  problems: z.array(problem),
});

export const planToJson = jsonWriter(planShape, "omit");

const reviewShape = z.object({
  planned: cost,
  actual: z.object({
    runs: z.int(),
    completed: z.int(),
    failed: z.int(),
    /** Absent where they are unknown. */
    tokens: z.int().exactOptional(),
    microUsd: z.int().exactOptional(),
  }),
  acknowledged: z.int(),
  ruleReviews: z.int(),
  finishedBefore: z.int(),
  abandoned: z.int(),
  stopped: optionalObject({ kind: z.string(), message: z.string() }),
  unreadable: objects({ number: z.int(), reason: z.string() }),
  otherModels: z.record(z.string(), z.int()),
  after: z.object({ stale: z.int(), undecided: z.int(), failing: z.int() }),
  lock: z.object({ path: z.string(), lines: z.int(), changed: z.boolean() }),
  standIn: z.boolean(),
  /** Pairs that a series of answers decided. */
  votes: z.int().exactOptional(),
});

export const reviewToJson = jsonWriter(reviewShape, "omit");

export const workShape = z.object({
  notes: objects({
    note: z.string(),
    findings: objects({
      gate: z.string(),
      model: z.string(),
      severity: z.string(),
      message: z.string(),
      quote: z.string().exactOptional(),
      line: z.int().exactOptional(),
      fingerprint: z.string(),
      survivesRewording: z.boolean(),
      suggestedRevision: z.string().exactOptional(),
      outdated: z.string().exactOptional(),
      dismissed: z.string().exactOptional(),
      run: z.int().exactOptional(),
    }),
  }),
});

export const workToJson = jsonWriter(workShape, "omit");

const checkShape = z.object({
  passed: z.boolean(),
  support: z.literal("attested"),
  pairs: z.int(),
  stale: z.int(),
  failing: z.int(),
  findings: objects({
    note: z.string(),
    gate: z.string(),
    model: z.string(),
    rule: z.string(),
    level: z.string(),
    message: z.string(),
    line: z.int().exactOptional(),
    quote: z.string().exactOptional(),
    fingerprint: z.string(),
    mend: z.string().exactOptional(),
    suppressed: z.string().exactOptional(),
  }),
  problems: z.array(problem),
});

export const checkToJson = jsonWriter(checkShape, "omit");

const historyShape = z.object({
  note: z.string(),
  entries: objects({
    at: z.string(),
    act: z.string(),
    gate: z.string(),
    model: z.string(),
    decision: z.string(),
    kind: z.string().exactOptional(),
    run: z.int().exactOptional(),
    noteBlob: z.string(),
    gateBlob: z.string(),
    summary: z.string().exactOptional(),
    reason: z.string().exactOptional(),
    by: z.string().exactOptional(),
  }),
});

export const historyToJson = jsonWriter(historyShape, "omit");
