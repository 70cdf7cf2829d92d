import { defined } from "../values/defined.ts";
import type { Criticality, ProblemSeverity } from "./manifest.ts";

/** Default severity of each invariant; `invariant_severity` of a step overrides it. */
export const DEFAULT_SEVERITY = {
  transport: "P0",
  placeholder: "P0",
  dependency: "P1",
  direct_answer_first: "P0",
  required_answer_content: "P0",
  forbidden_answer_content: "P0",
  field_truth: "P0",
  temporal_honesty: "P0",
  goal_reached: "P0",
  edge_carryover: "P0",
  carryover_unobserved: "P1",
  technical_garbage_first_line: "P0",
  technical_garbage: "P1",
  top_level_noise: "P1",
  over_broad_answer: "P1",
  answer_layering: "P1",
  answer_shape: "P1",
  reply_type: "P1",
  heuristic_result: "P1",
  capability: "P1",
  fallback: "P1",
  intent: "P1",
  recipe: "P1",
  result_mode: "P1",
  debug_field: "P1",
  tool_call: "P1",
  slow_answer: "P1",
  object_memory: "P1",
  style: "P2",
} as const satisfies { readonly [invariant: string]: ProblemSeverity };

/** What a finding says was broken. */
export type Invariant = keyof typeof DEFAULT_SEVERITY;

/** A broken expectation with its proof. */
export interface Finding {
  readonly invariant: Invariant;
  readonly severity: ProblemSeverity;
  /** Which expectation it broke, in the manifest's words. */
  readonly expectation: string;
  /** What was seen instead. */
  readonly evidence: string;
  /** Seen in the visible answer, without any technical payload. */
  readonly visible: boolean;
}

export type FindingDraft = Omit<Finding, "severity"> & {
  /** A finer name that `invariant_severity` may use, such as the slot `as_of_date`. */
  readonly alias?: string;
};

/** What a user of the assistant sees. */
export function visibleFinding(
  invariant: Invariant,
  expectation: string,
  evidence: string,
): FindingDraft {
  return { invariant, expectation, evidence, visible: true };
}

/** Seen in the technical payload, or in what kept the question from being asked. */
export function hiddenFinding(
  invariant: Invariant,
  expectation: string,
  evidence: string,
  alias?: string,
): FindingDraft {
  return { invariant, expectation, evidence, visible: false, ...defined({ alias }) };
}

const RANK = { P0: 0, P1: 1, P2: 2 } as const;
const CAP = { critical: "P0", warning: "P1", info: "P1" } as const;

export function compareSeverity(left: ProblemSeverity, right: ProblemSeverity): number {
  return RANK[left] - RANK[right];
}

/** A step can raise or lower its own invariants; only critical steps can have a P0. */
export function gradeFinding(
  draft: FindingDraft,
  overrides: { readonly [invariant: string]: ProblemSeverity },
  criticality: Criticality,
): Finding {
  const { alias, ...facts } = draft;
  const wanted =
    (alias === undefined ? undefined : own(overrides, alias)) ??
    own(overrides, draft.invariant) ??
    DEFAULT_SEVERITY[draft.invariant];
  const cap = CAP[criticality];
  return { ...facts, severity: compareSeverity(wanted, cap) < 0 ? cap : wanted };
}

/** P0 and P1 findings prevent acceptance. */
export function blocksAcceptance(finding: { readonly severity: ProblemSeverity }): boolean {
  return finding.severity !== "P2";
}

function own<T>(map: { readonly [name: string]: T }, name: string): T | undefined {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}
