import { z } from "zod";
import {
  type AnalystVerdict,
  LOOP_DECISIONS,
  USER_DECISION_TYPES,
  VERDICT_FLAGS,
  type VerdictReading,
} from "../../domain/scenarios/verdict.ts";
import { PACK_GATE } from "../../domain/scenarios/verdict-gate.ts";
import { isArray, type Json, type JsonObject } from "../../domain/values/json.ts";
import { unwrapEnvelope } from "../agents/unwrap-envelope.ts";
import { cleanText } from "../drafting/clean-text.ts";
import { findJson, isOneObject } from "../drafting/json-reply.ts";
import { splitReasoning } from "../drafting/reasoning.ts";
import { type ReplyAuthor, readReviewerReply, withoutFence } from "../drafting/reviewer-reply.ts";

export const VERDICT_FORMAT_VERSION = "analyst-verdict-2";

const score = z.int().min(0).max(100);
const words = z.array(z.string());

/** The analyst's reply as it is asked for: all 31 fields. Reading is more generous, but not for the gate. */
export const verdictShape = z.strictObject({
  summary: z.string(),
  user_intent_summary: z.string(),
  expected_direct_answer: z.string(),
  actual_direct_answer: z.string().nullable(),
  quality_score: score,
  business_utility_score: score,
  direct_answer_priority_score: score,
  state_continuity_score: score,
  answer_shape_score: score,
  evidence_clarity_score: score,
  direct_answer_ok: z.boolean(),
  business_usefulness_ok: z.boolean(),
  focus_object_continuity_ok: z.boolean(),
  bundle_reuse_ok: z.boolean(),
  followup_action_resolution_ok: z.boolean(),
  temporal_honesty_ok: z.boolean(),
  field_truth_ok: z.boolean(),
  answer_layering_ok: z.boolean(),
  recommended_state_objects: words,
  loop_decision: z.enum(LOOP_DECISIONS),
  requires_user_decision: z.boolean(),
  user_decision_type: z.enum(USER_DECISION_TYPES),
  user_decision_prompt: z.string().nullable(),
  unresolved_p0_count: z.int().min(0),
  regression_detected: z.boolean(),
  root_cause_layers: words,
  broken_edge_ids: words,
  violated_invariants: words,
  acceptance_criteria: words,
  priority_targets: z.array(
    z.strictObject({
      severity: z.enum(["P0", "P1", "P2"]),
      problem_type: z.string(),
      fix_goal: z.string(),
      candidate_files: words,
      evidence: z.string().optional(),
      question: z.string().optional(),
    }),
  ),
  notes: words,
});

const voidShape = z.strictObject({ void: z.literal(true), problems: words, reply: z.string() });

/** `analyst_verdict.json`: the verdict, or why the reply was none. */
export const verdictFileShape = z.union([verdictShape, voidShape]);

const anyText = z.string().optional().catch(undefined);
const anyScore = score.optional().catch(undefined);
const anyWords = z
  .union([
    z.string().transform((word) => (word === "" ? [] : [word])),
    z.array(z.unknown()).transform((list) => list.filter((one) => typeof one === "string")),
  ])
  .catch([]);

/** The fields that the gate reads as strictly as they are asked for, everything else generously. */
const readShape = z.object({
  ...verdictShape.shape,
  summary: anyText,
  user_intent_summary: anyText,
  expected_direct_answer: anyText,
  actual_direct_answer: anyText,
  business_utility_score: anyScore,
  direct_answer_priority_score: anyScore,
  state_continuity_score: anyScore,
  answer_shape_score: anyScore,
  evidence_clarity_score: anyScore,
  recommended_state_objects: anyWords,
  user_decision_type: verdictShape.shape.user_decision_type.catch("none"),
  user_decision_prompt: anyText,
  regression_detected: z.boolean().optional().catch(undefined),
  root_cause_layers: anyWords,
  broken_edge_ids: anyWords,
  violated_invariants: anyWords,
  acceptance_criteria: anyWords,
  priority_targets: z.array(
    z.object({
      severity: z.enum(["P0", "P1", "P2"]),
      problem_type: z.string().catch("unspecified"),
      fix_goal: z.string().catch(""),
      candidate_files: words.catch([]),
      evidence: anyText,
      question: anyText,
    }),
  ),
  notes: anyWords,
});

/**
 * Reads the one verdict of a reply. Two verdicts, a key written twice, a gate field missing or out of range: void,
 * because a text under review may have put words into the analyst's mouth. A reply that is cut or broken is void as
 * a whole: what looks like a verdict inside it may be one that the analyst only quotes.
 */
export function readAnalystVerdict(text: string, author: ReplyAuthor = "model"): VerdictReading {
  const said = cleanText(author === "command" ? unwrapEnvelope(text, "all") : text);
  const { spoken, isWhole } = splitReasoning(said);
  const json = findJson(spoken);
  if (json.kind === "broken") return { kind: "void", problems: [json.error] };
  const objects = json.kind === "found" ? json.objects : [];
  const candidates = objects.filter(isMeantAsVerdict);
  const [candidate] = candidates;
  if (candidate === undefined) return { kind: "void", problems: ["no verdict in the reply"] };
  if (candidates.length > 1) {
    return { kind: "void", problems: [`${candidates.length} verdicts in the reply`] };
  }
  const read = readShape.safeParse(candidate);
  if (!read.success) return { kind: "void", problems: read.error.issues.map(describe) };
  const priorityTargets = read.data.priority_targets.map((target) => renamed(target, camelCase));
  const verdict = { ...renamed(read.data, camelCase), priorityTargets };
  const isAlone = isWhole && objects.length === 1 && isOneObject(withoutFence(spoken));
  const beside = isAlone ? besideVerdict(candidate) : spoken;
  const isBare = beside === "" || (author === "script" && isAlone);
  const signature = isBare ? ({ how: "bare" } as const) : ({ how: "refused", beside } as const);
  return { kind: "read", verdict: verdict as unknown as AnalystVerdict, signature };
}

/** One of the two members that only a verdict has; the other may be missing, and is then asked for by name. */
function isMeantAsVerdict(object: JsonObject): boolean {
  return Object.hasOwn(object, "quality_score") || Object.hasOwn(object, "loop_decision");
}

/**
 * What the reply to the signature question makes of an acceptance that came with other words. Only a bare approval signs;
 * otherwise the run is not accepted, and a verdict in the second reply counts as the analyst's last word.
 */
export function settleVerdict(
  first: ReadVerdict,
  second: string,
  author: ReplyAuthor,
): ReadVerdict {
  const { beside = "" } = first.signature;
  const answer = readReviewerReply(second, signing, author);
  if (answer.kind === "read" && answer.reply.verdict === "ok") {
    return { ...first, signature: { how: "asked", beside } };
  }
  const again = readAnalystVerdict(second, author);
  const { verdict } = again.kind === "read" ? again : first;
  return { kind: "read", verdict, signature: { how: "refused", beside: `${beside}\n\n${second}` } };
}

export type ReadVerdict = Extract<VerdictReading, { kind: "read" }>;

const signing = { approval: "structured", phrase: "", brief: "", text: "" } as const;

/** Members that the gate reads; an acceptance may hold nothing else that has content. */
const gateMembers: ReadonlySet<string> = new Set([
  "quality_score",
  "loop_decision",
  "requires_user_decision",
  "unresolved_p0_count",
  ...VERDICT_FLAGS.map(snakeCase),
]);

/** Everything else in a verdict that says something: empty texts and lists, `none`, `false` and good scores do not. */
function besideVerdict(object: JsonObject): string {
  const isSilent = (name: string, value: Json) =>
    value === null ||
    value === "" ||
    (isArray(value) && value.length === 0) ||
    (name === "regression_detected" && value === false) ||
    (name === "user_decision_type" && value === "none") ||
    (Object.hasOwn(verdictShape.shape, name) && typeof value === "number" && value >= goodScore);
  return Object.entries(object)
    .filter(([name, value]) => !gateMembers.has(name) && !isSilent(name, value))
    .map(([name, value]) => (name === "summary" ? value : `${name}: ${JSON.stringify(value)}`))
    .join("\n");
}

const goodScore = PACK_GATE.targetScore;

/** Reads `analyst_verdict.json`: of a void verdict it keeps the reasons that were found when it came. */
export function readVerdictFile(text: string): VerdictReading {
  const json = findJson(text);
  const found = json.kind === "found" ? voidShape.safeParse(json.objects[0]) : undefined;
  return found?.success
    ? { kind: "void", problems: found.data.problems }
    : readAnalystVerdict(text, "script");
}

/** The writer beside the reader: offline analysts answer through it. */
export function writeVerdict(verdict: AnalystVerdict): string {
  const given = renamed(verdict, snakeCase);
  const targets = verdict.priorityTargets.map((target) => renamed(target, snakeCase));
  const absent = (name: string) =>
    name.endsWith("_score") ? verdict.qualityScore : (unsaid[name] ?? null);
  const wire = Object.keys(verdictShape.shape).map((name) => [name, given[name] ?? absent(name)]);
  return JSON.stringify({ ...Object.fromEntries(wire), priority_targets: targets }, null, 2);
}

/** What is written for a field that the verdict leaves out; `null` for all others. */
const unsaid: { readonly [name: string]: string | boolean } = {
  summary: "",
  user_intent_summary: "",
  expected_direct_answer: "",
  regression_detected: false,
};

function renamed(value: object, rename: (name: string) => string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      member === undefined ? [] : [[rename(name), member]],
    ),
  );
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/gu, (_, letter: string) => letter.toUpperCase());
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`);
}

function describe(issue: z.core.$ZodIssue): string {
  const path = issue.path.map(String).join(".");
  if (/received undefined/u.test(issue.message)) return `${path} is missing`;
  return `${issue.path.map(String).join(".") || "verdict"}: ${issue.message}`;
}
