import { z } from "zod";
import { panelRules } from "../../domain/drafting/panel.ts";
import { verdicts } from "../../domain/drafting/review.ts";
import { CODER_STATUSES } from "../../domain/scenarios/coder-status.ts";
import type {
  QuestionQualityReview,
  RunReview,
} from "../../domain/scenarios/conversation-review.ts";
import { DEFAULT_SEVERITY, type Finding } from "../../domain/scenarios/finding.ts";
import type { HandOff } from "../../domain/scenarios/hand-off.ts";
import { problemSeverities } from "../../domain/scenarios/manifest.ts";
import { repairModes } from "../../domain/scenarios/pack-loop.ts";
import type { QuestionReview } from "../../domain/scenarios/question-quality.ts";
import type { RepairTarget } from "../../domain/scenarios/repair-targets.ts";
import type { BusinessReview, TruthReview } from "../../domain/scenarios/reviews.ts";
import type { ScenarioRecord, StepRecord } from "../../domain/scenarios/run-record.ts";
import { STATUSES } from "../../domain/scenarios/step-status.ts";
import type { Json } from "../../domain/values/json.ts";
import {
  count,
  optionalObject,
  optionalStrictObject,
  strictObjects,
  words,
} from "../documents/shapes.ts";

/** Whatever an assistant sent: opaque, so that none of its names is touched. */
export const json = z.unknown() as unknown as z.ZodType<Json>;
const share = z.number().min(0).max(1);
const severity = z.enum(problemSeverities);
const status = z.enum(STATUSES);
const invariant = z.enum(Object.keys(DEFAULT_SEVERITY) as [keyof typeof DEFAULT_SEVERITY]);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const findingShape = z.strictObject({
  invariant,
  severity,
  expectation: z.string(),
  evidence: z.string(),
  visible: z.boolean(),
}) satisfies z.ZodType<Finding>;

export const repairTargetShape = z.strictObject({
  targetId: z.string(),
  severity,
  problemType: z.string(),
  question: z.string(),
  visibleAnswer: z.string(),
  expectation: z.string(),
  evidence: z.string(),
  fixGoal: z.string(),
  candidateFiles: words,
  occurrences: strictObjects({ scenarioId: z.string(), stepId: z.string() }),
  position: count.exactOptional(),
  /** The earlier step whose failure this one follows from. */
  follows: optionalStrictObject({ scenarioId: z.string(), stepId: z.string() }),
  /** The turns before it that reproduce it. */
  before: strictObjects({ question: z.string(), answer: z.string() }).exactOptional(),
}) satisfies z.ZodType<RepairTarget>;

export const stepRecordShape = z.strictObject({
  stepId: z.string(),
  title: z.string(),
  criticality: z.enum(["critical", "warning", "info"]),
  dependsOn: words,
  placeholderRoots: words,
  carryoverInvariants: words,
  questionTemplate: z.string(),
  questionResolved: z.string().exactOptional(),
  execution: z.enum(["answered", "failed", "unresolved", "skipped"]),
  answerText: z.string(),
  replyType: z.string().exactOptional(),
  /** From the request to the end of the answer. */
  latencyMs: z.number().min(0).exactOptional(),
  status,
  findings: z.array(findingShape),
  /** What a crash left unseen of the answer. */
  unobserved: z.array(z.enum(["debug", "reply_type"])).exactOptional(),
  /** Of a simulated user. */
  dialogue: z.enum(["turn", "goal"]).exactOptional(),
  flaky: z.boolean().exactOptional(),
  /** How many of its repeats passed every check. */
  repeats: optionalStrictObject({ passed: count, of: count }),
}) satisfies z.ZodType<StepRecord>;

/** `step_state.json`: the judged step with its place and the payload, every field as it came. */
export const stepStateShape = z.strictObject({
  scenarioId: z.string(),
  domain: z.string(),
  /** From 1. */
  stepIndex: z.int().min(1),
  analysisContext: z.record(z.string(), json),
  entries: z.array(json),
  entriesFrom: z.enum(["payload", "table", "list", "none"]),
  debug: json,
  ...stepRecordShape.shape,
});

export const scenarioRecordShape = z.strictObject({
  scenarioId: z.string(),
  domain: z.string(),
  title: z.string(),
  sessionId: z.string().exactOptional(),
  /** Versions of the assistant that its answers showed. */
  assistantVersions: words.exactOptional(),
  steps: z.array(stepRecordShape),
}) satisfies z.ZodType<ScenarioRecord>;

/** `scenario_state.json`: the whole chain with its judgements. */
export const scenarioStateShape = z.strictObject({
  ...scenarioRecordShape.shape,
  status,
  /** The number of the attempt that counts; earlier ones lost their session and are kept aside. */
  attempt: z.int().min(1),
  startedAt: z.string(),
  finishedAt: z.string(),
  bindings: z.record(z.string(), json),
  semanticMemory: json,
  /** Hashes of the files around it, so that its own hash covers all of them. */
  files: z.record(z.string(), sha256).exactOptional(),
});

/** A part of a pack that was asked by itself: it proves nothing about the rest. */
export const selectionShape = optionalStrictObject({
  /** Of the whole pack. */
  ofSpecHash: sha256,
  questions: count,
  ofQuestions: count,
  /** The run whose results count for what was not asked. */
  before: z.string().exactOptional(),
});

/** Lists of the settings that answers are checked against, where they are not the usual ones. */
export const checkListsShape = optionalStrictObject({
  garbageMarkers: z.array(z.string()),
  noisePhrases: z.array(z.string()),
});

/** `pack_state.json`; the save gate reads it and the hashes tie it to its spec and reviews. */
export const packStateShape = z.strictObject({
  packId: z.string(),
  title: z.string(),
  runId: z.string(),
  finalStatus: status,
  acceptanceGatePassed: z.boolean(),
  unresolvedP0Count: count,
  reasons: words,
  scenarios: strictObjects({ scenarioId: z.string(), status, steps: count, flakySteps: words }),
  repairTargets: z.array(repairTargetShape),
  specHash: sha256,
  selection: selectionShape,
  /** What was asked; absent in runs of earlier versions. */
  assistant: optionalStrictObject({
    url: z.string(),
    name: z.string().exactOptional(),
    /** `unobserved` where it is not configured how answers show it. */
    version: z.string(),
  }),
  /** Played the users of open dialogues; absent where there are none. */
  userModel: z.string().exactOptional(),
  /** The analyst, if one judged in addition to the checks. */
  analyst: optionalStrictObject({
    model: z.string(),
    standIn: z.boolean(),
    /** A script's replies were read. */
    scripted: z.boolean().exactOptional(),
    /** How an acceptance was signed. */
    signature: optionalStrictObject({
      how: z.enum(["bare", "asked", "refused"]),
      beside: z.string().exactOptional(),
    }),
    /** Who said what, where there were several analysts. */
    vote: optionalStrictObject({
      rule: z.enum(panelRules),
      verdict: z.enum(verdicts),
      approved: words,
      objected: words,
      calledPerson: words,
      absent: words,
    }),
  }),
});

/** `run_manifest.json`: which run a folder holds, of which spec, and the hashes of its evidence once it ended. */
export const runManifestShape = z.strictObject({
  runId: z.string(),
  kind: z.enum(["pack", "pack-loop", "scenario", "case"]),
  subject: z.string(),
  specHash: sha256,
  finished: z.boolean(),
  files: z.record(z.string(), sha256),
});

const reviewedStep = z.strictObject({
  scenarioId: z.string(),
  stepId: z.string(),
  question: z.string(),
  directAnswer: z.string(),
  passed: z.boolean(),
  findings: z.array(findingShape),
});

export const truthReviewShape = z.strictObject({
  summary: z.strictObject({
    overallStatus: z.enum(["pass", "fail"]),
    steps: count,
    failedSteps: count,
    unresolvedP0: count,
    unresolvedP1: count,
  }),
  steps: z.array(reviewedStep),
}) satisfies z.ZodType<TruthReview>;

export const businessReviewShape = z.strictObject({
  overallBusinessStatus: z.enum(["pass", "fail"]),
  businessAnswerFailures: count,
  directAnswerOk: z.boolean(),
  technicalGarbagePresent: z.boolean(),
  steps: z.array(reviewedStep),
}) satisfies z.ZodType<BusinessReview>;

export const questionReviewShape = z.strictObject({
  rating: z.enum(["strong", "usable", "weak"]),
  measures: z.strictObject({
    questions: count,
    followUpShare: share,
    directShare: share,
    reportShare: share,
    domains: count,
    canaries: count,
    weakAnchors: count,
    openDialogues: count.exactOptional(),
    longestPath: count,
  }),
  problems: strictObjects({
    level: z.enum(["error", "warning"]),
    code: z.string(),
    place: z.string(),
    message: z.string(),
  }),
}) satisfies z.ZodType<QuestionReview>;

const conversationPair = {
  pairId: z.string(),
  sessionId: z.string(),
  question: z.string(),
  answer: z.string(),
  replyType: z.string().exactOptional(),
  at: z.string().exactOptional(),
};

export const runReviewShape = z.strictObject({
  runId: z.string(),
  overallStatus: z.enum(["p0", "p1", "clean"]),
  counts: z.record(severity, count),
  pairs: strictObjects({
    ...conversationPair,
    findings: z.array(findingShape),
    /** Where the pack asks this question after the same earlier questions. */
    step: optionalStrictObject({ scenarioId: z.string(), stepId: z.string() }),
  }),
  repairTargets: z.array(repairTargetShape),
}) satisfies z.ZodType<RunReview>;

export const questionQualityShape = z.strictObject({
  questions: count,
  followUpShare: share,
  directShare: share,
  reportShare: share,
  sessions: count,
  domains: count,
  duplicates: strictObjects({
    first: z.string(),
    second: z.string(),
    kind: z.enum(["duplicate", "near_duplicate"]),
  }),
  weakAnchors: words,
}) satisfies z.ZodType<QuestionQualityReview>;

/** `turn.json`: what was said and the technical payload, the analyst's first source. */
export const turnShape = z.strictObject({
  userMessage: z.string(),
  assistantMessage: optionalObject({
    text: z.string(),
    replyType: z.string().exactOptional(),
    messageId: z.string().exactOptional(),
    traceId: z.string().exactOptional(),
  }),
  failure: optionalObject({
    kind: z.string(),
    message: z.string(),
    accepted: z.boolean(),
    httpStatus: z.int().exactOptional(),
    excerpt: z.string().exactOptional(),
  }),
  technicalDebugPayload: json,
  recovered: z.boolean().exactOptional(),
});

export const loopIterationShape = z.strictObject({
  iteration: z.int().min(1),
  runId: z.string(),
  status,
  accepted: z.boolean(),
  score: z.int().min(0).max(100).exactOptional(),
  reasons: words,
  requiresUserDecision: z.boolean(),
  coderStatus: z.enum(CODER_STATUSES).exactOptional(),
});

/** `loop_state.json`: every iteration of a pack loop, hand-offs included. */
export const loopStateShape = z.strictObject({
  packId: z.string(),
  targetScore: z.int().min(0).max(100),
  maxIterations: count,
  repairMode: z.enum(repairModes),
  /** Set for auto-coder, whose repairs no person has read. */
  experimental: z.boolean(),
  analystModel: z.string(),
  /** The analyst is a rule-based stand-in. */
  standIn: z.boolean(),
  iterations: z.array(loopIterationShape),
  nextAction: z.string(),
});

/** `repair_targets.json` */
export const repairTargetsShape = z.strictObject({ targets: z.array(repairTargetShape) });

/** `conversation_pairs.json` */
export const conversationPairsShape = z.strictObject({
  pairs: z.array(z.strictObject(conversationPair)),
});

/** `lead_coder_handoff.json` and `stage_repair_handoff.json` */
export const handOffShape = z.strictObject({
  title: z.string(),
  reasons: words,
  targets: z.array(repairTargetShape),
  sampleFailures: strictObjects({
    question: z.string(),
    visibleAnswer: z.string(),
    expectation: z.string(),
  }),
  candidateFiles: words,
  validationCommand: z.string(),
}) satisfies z.ZodType<HandOff>;
