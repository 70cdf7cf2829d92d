import type { Json, JsonObject } from "../values/json.ts";
import { valueAt } from "./json-path.ts";
import {
  bindingsOf,
  NO_EXPECTATIONS,
  type Pack,
  type Scenario,
  type SimulatedUser,
  type Step,
} from "./manifest.ts";
import { type Placeholder, parsePlaceholders, RESERVED_ROOTS, textsOfStep } from "./placeholder.ts";

export type ManifestProblemCode =
  | "duplicate_id"
  | "reserved_id"
  | "dependency_order"
  | "invalid_placeholder";

export interface ManifestProblem {
  readonly code: ManifestProblemCode;
  readonly scenarioId: string;
  readonly stepId?: string;
  readonly message: string;
}

/** Everything about a pack that makes a run pointless and can be known before the first question. */
export function findManifestProblems(pack: Pack): readonly ManifestProblem[] {
  return [
    ...duplicates(pack.scenarios.map((scenario) => scenario.scenarioId)).map((scenarioId) => ({
      code: "duplicate_id" as const,
      scenarioId,
      message: `two scenarios are called ${scenarioId}`,
    })),
    ...pack.scenarios.flatMap((scenario) => scenarioProblems(scenario, bindingsOf(pack, scenario))),
  ];
}

function scenarioProblems(scenario: Scenario, bindings: JsonObject): readonly ManifestProblem[] {
  const { scenarioId, steps, user } = scenario;
  const ids = steps.map((step) => step.stepId);
  const repeated = duplicates(ids).map((stepId) => ({
    code: "duplicate_id" as const,
    scenarioId,
    stepId,
    message: `two steps are called ${stepId}`,
  }));
  const reserved = ids
    .filter((id) => (RESERVED_ROOTS as readonly string[]).includes(id))
    .map((stepId) => ({
      code: "reserved_id" as const,
      scenarioId,
      stepId,
      message: `${stepId} is a placeholder root and cannot name a step`,
    }));
  const taken = ids
    .filter((id) => user !== undefined && /^(?:goal|turn_\d+)$/iu.test(id))
    .map((stepId) => ({
      code: "reserved_id" as const,
      scenarioId,
      stepId,
      message: `${stepId} names a step of the simulated user`,
    }));
  return [
    ...repeated,
    ...reserved,
    ...taken,
    ...steps.flatMap((step, index) =>
      stepProblems(step, new Set(ids.slice(0, index)), bindings).map((problem) => ({
        ...problem,
        scenarioId,
        stepId: step.stepId,
      })),
    ),
    ...(user === undefined ? [] : userTexts(user)).flatMap((step) =>
      stepProblems(step, new Set(ids), bindings).map((problem) => ({ ...problem, scenarioId })),
    ),
  ];
}

function userTexts({ turn, goal, goalAnswerPatternsAny }: SimulatedUser): readonly Step[] {
  const expectations = { ...NO_EXPECTATIONS, requiredAnswerPatternsAny: goalAnswerPatternsAny };
  return [turn, { ...turn, question: goal, expectations }];
}

function stepProblems(step: Step, earlier: ReadonlySet<string>, bindings: JsonObject) {
  const order = step.dependsOn
    .filter((id) => !earlier.has(id))
    .map((id) => ({
      code: "dependency_order" as const,
      message: `depends_on ${id}, which is not an earlier step of the scenario`,
    }));
  const texts = textsOfStep(step);
  const placeholders = texts.flatMap((text) => {
    const parsed = parsePlaceholders(text);
    return parsed.kind === "unresolved"
      ? [`{{${parsed.problem.expression}}} cannot be read`]
      : parsed.value.flatMap((placeholder) => placeholderProblem(placeholder, earlier, bindings));
  });
  return [
    ...order,
    ...placeholders.map((message) => ({ code: "invalid_placeholder" as const, message })),
  ];
}

function placeholderProblem(
  { expression, root, path }: Placeholder,
  earlier: ReadonlySet<string>,
  bindings: JsonObject,
): readonly string[] {
  if (root === "bindings") {
    const value: Json | undefined = valueAt(bindings, path);
    return value === undefined || value === null ? [`{{${expression}}} has no binding`] : [];
  }
  return root === "semantic_memory" || earlier.has(root)
    ? []
    : [`{{${expression}}} names no earlier step`];
}

/** File systems may fold case, and ids become folders. */
function duplicates(ids: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return ids.filter((id) => {
    const folded = id.toLowerCase();
    const known = seen.has(folded);
    seen.add(folded);
    return known;
  });
}
