import type { Pack } from "../../domain/scenarios/manifest.ts";
import { countSteps } from "../../domain/scenarios/select-steps.ts";
import type { Json } from "../../domain/values/json.ts";
import { ConfigurationError, WorkflowError } from "../../domain/values/workflow-error.ts";
import type { Ending } from "../../ports/flow.ts";

/**
 * How often the whole pack can be played within a number of questions. Computed before the first call, so that a budget
 * never ends a replay in the middle: half a replay costs money and proves nothing.
 */
export function affordableReplays(
  pack: Pack,
  { repeat, maxQuestions }: { readonly repeat: number; readonly maxQuestions?: number },
): number {
  if (maxQuestions === undefined) return Number.POSITIVE_INFINITY;
  const questions = countSteps(pack) * repeat;
  if (questions <= maxQuestions) return Math.floor(maxQuestions / Math.max(1, questions));
  throw new ConfigurationError(
    `One replay asks ${questions} questions, and at most ${maxQuestions} may be asked.`,
    {
      code: "budget-too-small",
      facts: { questions, max_questions: maxQuestions },
      hint: `Give --max-questions ${questions} or more, or a smaller pack.`,
    },
  );
}

/** A part of the run used up the budget of the whole run, which then ends for the same reason and can be resumed. */
export function budgetUsedUp(facts: Json): WorkflowError {
  return new WorkflowError("The budget is used up.", { code: "budget", facts: { part: facts } });
}

/** Whether a run ended because its budget was used up, in its own name or in that of a part. */
export function isUsedUp(ending: Ending): boolean {
  return ending.kind === "failed"
    ? ending.error.code === "budget"
    : ending.kind === "stopped" && ending.reason === "budget";
}
