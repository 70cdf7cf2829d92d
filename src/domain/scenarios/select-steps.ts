import type { Pack, Scenario, Step } from "./manifest.ts";
import { rootsOf } from "./placeholder.ts";

/** Which questions of a pack are wanted; what they depend on is asked too. */
export interface Wanted {
  readonly scenarios?: readonly string[];
  readonly tags?: readonly string[];
  /** As `scenario/step`. */
  readonly steps?: ReadonlySet<string>;
}

/** The wanted questions with all that they depend on, in the order of the pack. Every condition must hold. */
export function selectSteps(pack: Pack, { scenarios, tags, steps }: Wanted): Pack {
  const open = [...(steps ?? [])];
  const isWanted = ({ scenarioId, user }: Scenario, { stepId, semanticTags }: Step) =>
    (scenarios === undefined || scenarios.includes(scenarioId)) &&
    (tags === undefined || semanticTags.some((tag) => tags.includes(tag))) &&
    (steps === undefined ||
      steps.has(`${scenarioId}/${stepId}`) ||
      (user !== undefined && open.some((at) => at.startsWith(`${scenarioId}/`))));
  // An open dialogue is one conversation: all of it is asked, or nothing.
  const isTalkWanted = (scenario: Scenario) =>
    [...scenario.steps, ...(scenario.user === undefined ? [] : [scenario.user.turn])].some((step) =>
      isWanted(scenario, step),
    );
  const selected = pack.scenarios.flatMap((scenario) => {
    if (scenario.user !== undefined) return isTalkWanted(scenario) ? [scenario] : [];
    const named = scenario.steps.filter((step) => isWanted(scenario, step));
    const needed = withDependencies(scenario.steps, named);
    return [{ ...scenario, steps: scenario.steps.filter(({ stepId }) => needed.has(stepId)) }];
  });
  return { ...pack, scenarios: selected.filter((one) => mostQuestions(one) > 0) };
}

/** Of a simulated user all that it may ask. */
export function countSteps({ scenarios }: Pick<Pack, "scenarios">): number {
  return scenarios.reduce((sum, scenario) => sum + mostQuestions(scenario), 0);
}

function mostQuestions({ steps, user }: Scenario): number {
  return steps.length + (user?.maxTurns ?? 0);
}

function withDependencies(all: readonly Step[], wanted: readonly Step[]): ReadonlySet<string> {
  const needed = new Set<string>();
  const add = (step: Step): void => {
    if (needed.has(step.stepId)) return;
    needed.add(step.stepId);
    for (const other of dependenciesOf(step, all)) add(other);
  };
  for (const step of wanted) add(step);
  return needed;
}

/** Declared dependencies, steps that placeholders name, and for a carry-over without either the step before. */
function dependenciesOf(step: Step, all: readonly Step[]): readonly Step[] {
  const at = all.indexOf(step);
  const roots = rootsOf(step);
  if (roots.has("semantic_memory")) return all.slice(0, at);
  const carries = step.expectations.requiredCarryoverInvariants.length > 0;
  const before = carries && step.dependsOn.length === 0 ? all.slice(Math.max(0, at - 1), at) : [];
  const named = all
    .slice(0, at)
    .filter(({ stepId }) => step.dependsOn.includes(stepId) || roots.has(stepId));
  return [...named, ...before];
}
