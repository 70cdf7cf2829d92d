import type { Pack, Step } from "./manifest.ts";
import { rootsOf } from "./placeholder.ts";

/** Whether a question makes sense only after earlier ones of the same conversation. */
export function isChained(step: Step): boolean {
  const { dependsOn, expectations } = step;
  return (
    dependsOn.length > 0 ||
    expectations.requiredCarryoverInvariants.length > 0 ||
    [...rootsOf(step)].some((root) => root !== "bindings")
  );
}

/** The steps of a pack that need a conversation, as `scenario/step`. */
export function chainedSteps({ scenarios }: Pick<Pack, "scenarios">): readonly string[] {
  return scenarios.flatMap(({ scenarioId, steps, user }) => [
    ...steps.filter(isChained).map(({ stepId }) => `${scenarioId}/${stepId}`),
    ...(user === undefined ? [] : [`${scenarioId}/user`]),
  ]);
}
