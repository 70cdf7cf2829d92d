import { defined } from "../values/defined.ts";
import type { CheckRules, Matches } from "./check-rules.ts";
import {
  blocksAcceptance,
  type Finding,
  type FindingDraft,
  gradeFinding,
  hiddenFinding,
  visibleFinding,
} from "./finding.ts";
import type { Criticality, Step } from "./manifest.ts";
import { needs, type Unobserved, unobservedIn } from "./payload-needs.ts";
import type { PlaceholderProblem } from "./placeholder.ts";
import { type AnsweredStep, checkTechnicalPayload } from "./technical-checks.ts";
import type { AssistantAnswer, TransportFailure } from "./turn.ts";
import { checkVisibleAnswer } from "./visible-checks.ts";

/** From best to worst. */
export const STATUSES = ["accepted", "partial", "needs_exact_capability", "blocked"] as const;

/** How far a step, a scenario or a pack got; the worst part that counts decides. */
export type Status = (typeof STATUSES)[number];

/** What became of a step's question. */
export type StepExecution =
  | {
      readonly kind: "answered";
      readonly answer: AssistantAnswer;
      /** Found in the session after a crash. */
      readonly recovered?: boolean;
      readonly latencyMs?: number;
      readonly reference?: AnsweredStep;
    }
  | { readonly kind: "failed"; readonly failure: TransportFailure }
  | { readonly kind: "unresolved"; readonly problem: PlaceholderProblem }
  | { readonly kind: "skipped"; readonly because: string };

/** The status and every finding that prevents a better one. */
export interface StepJudgement {
  readonly status: Status;
  readonly findings: readonly Finding[];
  /** What could not be seen of the answer, so that no check failed on it. */
  readonly unobserved?: readonly Unobserved[];
}

/** Findings and status of one step; `step` has its placeholders resolved if it was asked. */
export function judgeStep(
  step: Step,
  execution: StepExecution,
  how: { readonly rules: CheckRules; readonly matches: Matches },
): StepJudgement {
  const findings = findingsOf(step, execution, how).map((draft) =>
    gradeFinding(draft, step.expectations.invariantSeverity, step.criticality),
  );
  const status = statusOf(execution, findings);
  const unobserved = execution.kind === "answered" ? unobservedIn(execution) : [];
  if (unobserved.length === 0) return { status, findings };
  const isUnjudged = needs(step.expectations, unobserved);
  return { status: isUnjudged ? worse(status, "partial") : status, findings, unobserved };
}

/** The worst child counts; `info` children never lower it. */
export function rollUp(
  children: readonly { readonly status: Status; readonly criticality?: Criticality }[],
): Status {
  return children
    .filter((child) => child.criticality !== "info")
    .map((child) => child.status)
    .reduce(worse, "accepted");
}

export function worse(left: Status, right: Status): Status {
  return STATUSES.indexOf(left) >= STATUSES.indexOf(right) ? left : right;
}

function findingsOf(
  step: Step,
  execution: StepExecution,
  { rules, matches }: { readonly rules: CheckRules; readonly matches: Matches },
): readonly FindingDraft[] {
  switch (execution.kind) {
    case "answered": {
      const { answer, reference, latencyMs } = execution;
      const { text, replyType, debug, semanticMemory, toolCalls } = answer;
      const unobserved = unobservedIn(execution);
      const seen = unobserved.includes("reply_type") ? withoutReplyTypes(step) : step;
      const technical = {
        ...{ step, text, debug, semanticMemory },
        ...defined({ reference, toolCalls, latencyMs }),
      };
      return [
        ...checkVisibleAnswer({ step: seen, text, ...defined({ replyType }) }, rules, matches),
        ...(unobserved.includes("debug") ? [] : checkTechnicalPayload(technical, rules, matches)),
      ];
    }
    case "failed": {
      const { kind, message, excerpt } = execution.failure;
      const said = excerpt === undefined ? message : `${message}: ${excerpt}`;
      return [visibleFinding("transport", "an answer", `${kind}: ${said}`)];
    }
    case "unresolved": {
      const { expression, reason } = execution.problem;
      const evidence = `unresolved_placeholder {{${expression}}}: ${reason.replaceAll("_", " ")}`;
      return [hiddenFinding("placeholder", "every placeholder has a value", evidence)];
    }
    case "skipped": {
      const { because } = execution;
      return [hiddenFinding("dependency", `depends_on: ${because}`, `${because} has no answer`)];
    }
  }
}

function withoutReplyTypes(step: Step): Step {
  return { ...step, expectations: { ...step.expectations, allowedReplyTypes: [] } };
}

const CAPABILITY_INVARIANTS: readonly string[] = ["capability", "fallback"];
const PARTIAL_INVARIANTS: readonly string[] = ["reply_type", "heuristic_result"];

function statusOf(execution: StepExecution, findings: readonly Finding[]): Status {
  if (execution.kind !== "answered") return "blocked";
  if (findings.some((finding) => CAPABILITY_INVARIANTS.includes(finding.invariant))) {
    return "needs_exact_capability";
  }
  const isPartial = findings.some(
    (finding) => blocksAcceptance(finding) || PARTIAL_INVARIANTS.includes(finding.invariant),
  );
  return isPartial ? "partial" : "accepted";
}
