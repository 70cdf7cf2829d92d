import type { Expectations, Scenario } from "./manifest.ts";
import { rootsOf } from "./placeholder.ts";
import type { AssistantOutcome } from "./turn.ts";

/** What an answer that was found again in its session may lack. */
export type Unobserved = "debug" | "reply_type";

/**
 * What is not known of an answer because it was found in the session after a crash: a session need not keep all that
 * the response had. Nothing is unobserved in an answer that was received.
 */
export function unobservedIn(outcome: AssistantOutcome): readonly Unobserved[] {
  if (outcome.kind !== "answered" || outcome.recovered !== true) return [];
  const { debug, replyType } = outcome.answer;
  const isEmpty = debug === null || (typeof debug === "object" && Object.keys(debug).length === 0);
  return [
    ...(isEmpty ? (["debug"] as const) : []),
    ...(replyType === undefined ? (["reply_type"] as const) : []),
  ];
}

/** Whether an expectation needs what was not observed. */
export function needs(expectations: Expectations, unobserved: readonly Unobserved[]): boolean {
  return (
    (unobserved.includes("debug") && readsDebug(expectations)) ||
    (unobserved.includes("reply_type") && expectations.allowedReplyTypes.length > 0)
  );
}

/** Whether a step, or one after it, cannot be judged without what was not observed of its answer. */
export function chainNeeds(
  { steps: written, user }: Scenario,
  stepId: string,
  unobserved: readonly Unobserved[],
): boolean {
  const steps = user === undefined ? written : [...written, user.turn];
  const at = steps.findIndex((step) => step.stepId === stepId);
  const own = steps[at] ?? user?.turn;
  if (own === undefined) return false;
  if (needs(own.expectations, unobserved)) return true;
  return (
    unobserved.includes("debug") &&
    steps.slice(at + 1).some((step) => {
      const roots = rootsOf(step);
      const carries = step.expectations.requiredCarryoverInvariants.length > 0;
      return carries || roots.has(stepId) || roots.has("semantic_memory");
    })
  );
}

function readsDebug(expectations: Expectations): boolean {
  const { expectedCapability, expectedRecipe, expectedResultMode } = expectations;
  const named = [expectedCapability, expectedRecipe, expectedResultMode];
  const lists = [
    expectations.expectedIntents,
    expectations.forbiddenCapabilities,
    expectations.forbiddenRecipes,
    expectations.expectedDebugFields,
    Object.keys(expectations.requiredFilters),
    expectations.requiredStateObjects,
    expectations.requiredCarryoverInvariants,
    expectations.expectedToolCalls ?? [],
    expectations.forbiddenTools ?? [],
  ];
  return named.some((one) => one !== undefined) || lists.some((list) => list.length > 0);
}
