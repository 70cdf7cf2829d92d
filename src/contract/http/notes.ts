import { z } from "zod";
import type { Json } from "../../domain/values/json.ts";
import { toWire } from "../documents/snake-case.ts";

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
  stale: z.array(
    z.object({
      note: z.string(),
      gate: z.string(),
      model: z.string(),
      reason: z.string(),
      trivial: z.boolean(),
      undecidedTimes: z.int().exactOptional(),
      noteBlob: z.string(),
      acceptedNoteBlob: z.string().exactOptional(),
      diff: z.string().exactOptional(),
    }),
  ),
  cost,
  problems: z.array(problem),
  skipped: z.array(z.object({ path: z.string(), reason: z.string() })),
});

type Frozen<T> = T extends object ? { readonly [Name in keyof T]: Frozen<T[Name]> } : T;

/** What `notes status --json` and the API answer. */
export function statusToJson(status: Frozen<z.output<typeof notesStatusShape>>): Json {
  return toWire(notesStatusShape, status, { absent: "omit" });
}

export const planShape = z.object({
  calls: z.array(
    z.object({
      shape: z.string(),
      model: z.string(),
      pairs: z.array(z.object({ note: z.string(), gate: z.string() })),
      inputTokens: range,
    }),
  ),
  rulePairs: z.int(),
  acknowledged: z.int(),
  leftUndecided: z.int(),
  tooLarge: z.array(z.object({ note: z.string(), gate: z.string() })),
  cost,
  problems: z.array(problem),
});

export function planToJson(plan: Frozen<z.output<typeof planShape>>): Json {
  return toWire(planShape, plan, { absent: "omit" });
}

const reviewShape = z.object({
  planned: cost,
  actual: z.object({
    runs: z.int(),
    completed: z.int(),
    failed: z.int(),
    tokens: z.int(),
    microUsd: z.int(),
  }),
  acknowledged: z.int(),
  ruleReviews: z.int(),
  finishedBefore: z.int(),
  abandoned: z.int(),
  stopped: z.object({ kind: z.string(), message: z.string() }).exactOptional(),
  unreadable: z.array(z.object({ number: z.int(), reason: z.string() })),
  otherModels: z.record(z.string(), z.int()),
  after: z.object({ stale: z.int(), undecided: z.int(), failing: z.int() }),
  lock: z.object({ path: z.string(), lines: z.int(), changed: z.boolean() }),
  standIn: z.boolean(),
});

export function reviewToJson(review: Frozen<z.output<typeof reviewShape>>): Json {
  return toWire(reviewShape, review, { absent: "omit" });
}

export const workShape = z.object({
  notes: z.array(
    z.object({
      note: z.string(),
      findings: z.array(
        z.object({
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
      ),
    }),
  ),
});

export function workToJson(work: Frozen<z.output<typeof workShape>>): Json {
  return toWire(workShape, work, { absent: "omit" });
}

const checkShape = z.object({
  passed: z.boolean(),
  pairs: z.int(),
  stale: z.int(),
  failing: z.int(),
  findings: z.array(
    z.object({
      note: z.string(),
      gate: z.string(),
      model: z.string(),
      rule: z.string(),
      level: z.string(),
      message: z.string(),
    }),
  ),
  problems: z.array(problem),
});

export function checkToJson(check: Frozen<z.output<typeof checkShape>>): Json {
  return toWire(checkShape, check, { absent: "omit" });
}

const historyShape = z.object({
  note: z.string(),
  entries: z.array(
    z.object({
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
  ),
});

export function historyToJson(history: Frozen<z.output<typeof historyShape>>): Json {
  return toWire(historyShape, history, { absent: "omit" });
}
