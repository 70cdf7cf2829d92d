import type { Json } from "../values/json.ts";
import { canonicalJson } from "./canonical-json.ts";
import type { CheckRules, Matches } from "./check-rules.ts";
import { datesIn } from "./dates.ts";
import type { FindingDraft, Invariant } from "./finding.ts";
import { excerpt, firstLine, foldText } from "./folded-text.ts";
import { valueAtPath } from "./json-path.ts";
import { type DebugExpectation, isArray, isObject, type Step } from "./manifest.ts";

/** What an answered step leaves for the steps after it. */
export interface AnsweredStep {
  readonly stepId: string;
  readonly debug: Json;
  readonly semanticMemory: Json;
}

export interface TechnicalEvidence {
  readonly step: Step;
  readonly text: string;
  readonly debug: Json;
  readonly semanticMemory: Json;
  /** The step that objects, dates and filters are carried over from. */
  readonly reference?: AnsweredStep;
}

/** Holds the technical payload against the manifest: capability, filters, memory, carry-over. */
export function checkTechnicalPayload(
  evidence: TechnicalEvidence,
  rules: CheckRules,
  matches: Matches,
): readonly FindingDraft[] {
  return [
    ...checkCapability(evidence, rules),
    ...checkNamedFields(evidence, rules),
    ...checkDebugFields(evidence, matches),
    ...checkFilters(evidence, rules),
    ...checkStateObjects(evidence, rules),
    ...checkCarryover(evidence, rules),
  ];
}

function checkCapability({ step, debug }: TechnicalEvidence, rules: CheckRules) {
  const drafts: FindingDraft[] = [];
  const fallback = firstValue(debug, rules.debugPaths.fallback);
  if (fallback !== undefined && !rules.noFallback.includes(asText(fallback).toLowerCase())) {
    drafts.push(hidden("fallback", "no fallback", asText(fallback)));
  }
  const { expectedCapability, forbiddenCapabilities } = step.expectations;
  const capability = asTextOrNone(firstValue(debug, rules.debugPaths.capability));
  if (expectedCapability !== undefined && capability !== expectedCapability) {
    drafts.push(hidden("capability", `expected_capability: ${expectedCapability}`, capability));
  }
  if (forbiddenCapabilities.includes(capability)) {
    drafts.push(
      hidden(
        "capability",
        `forbidden_capabilities: ${forbiddenCapabilities.join(", ")}`,
        capability,
      ),
    );
  }
  const mode = firstValue(debug, rules.debugPaths.resultMode);
  if (mode !== undefined && rules.heuristicResultModes.includes(asText(mode))) {
    drafts.push(hidden("heuristic_result", "a confirmed result", asText(mode)));
  }
  return drafts;
}

function checkNamedFields({ step, debug }: TechnicalEvidence, rules: CheckRules) {
  const { expectedIntents, expectedRecipe, expectedResultMode, forbiddenRecipes } =
    step.expectations;
  const intent = asTextOrNone(firstValue(debug, rules.debugPaths.intent));
  const recipe = asTextOrNone(firstValue(debug, rules.debugPaths.recipe));
  const mode = asTextOrNone(firstValue(debug, rules.debugPaths.resultMode));
  const drafts: FindingDraft[] = [];
  if (expectedIntents.length > 0 && !expectedIntents.includes(intent)) {
    drafts.push(hidden("intent", `expected_intents: ${expectedIntents.join(", ")}`, intent));
  }
  if (expectedRecipe !== undefined && recipe !== expectedRecipe) {
    drafts.push(hidden("recipe", `expected_recipe: ${expectedRecipe}`, recipe));
  }
  if (forbiddenRecipes.includes(recipe)) {
    drafts.push(hidden("recipe", `forbidden_recipes: ${forbiddenRecipes.join(", ")}`, recipe));
  }
  if (expectedResultMode !== undefined && mode !== expectedResultMode) {
    drafts.push(hidden("result_mode", `expected_result_mode: ${expectedResultMode}`, mode));
  }
  return drafts;
}

function checkDebugFields({ step, debug }: TechnicalEvidence, matches: Matches) {
  return step.expectations.expectedDebugFields.flatMap((field) => {
    const actual = valueAtPath(debug, field.path);
    return fieldHolds(field, actual, matches)
      ? []
      : [
          {
            ...hidden(
              "debug_field",
              `${field.path} ${field.op}${field.value === undefined ? "" : ` ${asText(field.value)}`}`,
              asTextOrNone(actual),
            ),
            alias: field.path,
          },
        ];
  });
}

/** Compares one field of the payload; an absent field satisfies only `absent`, `not_equals` and `none_of`. */
export function fieldHolds(
  field: DebugExpectation,
  actual: Json | undefined,
  matches: Matches,
): boolean {
  const { op, value = null } = field;
  const present = actual !== undefined && actual !== null;
  const among = (list: Json) => isArray(list) && list.some((one) => sameValue(one, actual));
  switch (op) {
    case "equals":
      return sameValue(value, actual);
    case "not_equals":
      return !sameValue(value, actual);
    case "one_of":
      return among(value);
    case "none_of":
      return !among(value);
    case "contains":
      return isArray(actual)
        ? actual.some((one) => sameValue(one, value))
        : typeof actual === "string" && actual.includes(asText(value));
    case "matches":
      return present && typeof value === "string" && matches(value, asText(actual));
    case "exists":
      return present;
    case "absent":
      return !present;
    case "at_least":
      return typeof actual === "number" && typeof value === "number" && actual >= value;
    case "at_most":
      return typeof actual === "number" && typeof value === "number" && actual <= value;
  }
}

function checkFilters({ step, debug, text }: TechnicalEvidence, rules: CheckRules) {
  return Object.entries(step.expectations.requiredFilters).flatMap(([slot, wanted]) => {
    const actual = slotValue(debug, slot, rules);
    const temporal = rules.temporalSlots.includes(slot);
    const invariant: Invariant = temporal ? "temporal_honesty" : "field_truth";
    const expectation = `required_filters.${slot}: ${wanted.map(asText).join(" | ")}`;
    const drafts: FindingDraft[] = [];
    if (!wanted.some((one) => sameFolded(one, actual))) {
      drafts.push({ ...hidden(invariant, expectation, asTextOrNone(actual)), alias: slot });
    }
    const shown = temporal ? datesIn(firstLine(text)) : [];
    if (
      shown.length > 0 &&
      !shown.some((day) => wanted.some((one) => datesIn(asText(one)).includes(day)))
    ) {
      const asksForDay = wanted.some((one) => datesIn(asText(one)).length > 0);
      if (asksForDay) {
        drafts.push({
          invariant,
          expectation,
          evidence: excerpt(firstLine(text)),
          visible: true,
          alias: slot,
        });
      }
    }
    return drafts;
  });
}

function checkStateObjects({ step, debug, semanticMemory }: TechnicalEvidence, rules: CheckRules) {
  const kept = firstValue(debug, rules.debugPaths.stateObjects);
  return step.expectations.requiredStateObjects.flatMap((name) => {
    const there =
      (isArray(kept) && kept.includes(name)) ||
      [kept, debug, semanticMemory].some((place) => {
        const value = isObject(place) ? valueAtPath(place, name) : undefined;
        return value !== undefined && value !== null;
      });
    return there
      ? []
      : [{ ...hidden("object_memory", `required_state_objects: ${name}`, "absent"), alias: name }];
  });
}

function checkCarryover({ step, debug, reference }: TechnicalEvidence, rules: CheckRules) {
  return step.expectations.requiredCarryoverInvariants.flatMap((slot): readonly FindingDraft[] => {
    const before = reference === undefined ? undefined : slotValue(reference.debug, slot, rules);
    const now = slotValue(debug, slot, rules);
    const from = reference?.stepId ?? "no earlier step";
    if (before === undefined || before === null) {
      const evidence = `${from} shows no ${slot} to carry over`;
      return [
        {
          ...hidden("carryover_unobserved", `required_carryover_invariants: ${slot}`, evidence),
          alias: slot,
        },
      ];
    }
    if (sameFolded(before, now)) return [];
    const invariant: Invariant = rules.temporalSlots.includes(slot)
      ? "temporal_honesty"
      : "edge_carryover";
    const evidence = `${from} had ${asText(before)}, now ${asTextOrNone(now)}`;
    return [
      { ...hidden(invariant, `required_carryover_invariants: ${slot}`, evidence), alias: slot },
    ];
  });
}

/** A slot of the assistant's scope: one of its filters, else a field of the payload. */
function slotValue(debug: Json, slot: string, rules: CheckRules): Json | undefined {
  const paths = [...rules.debugPaths.filters.map((path) => `${path}.${slot}`), slot];
  return firstValue(debug, paths);
}

function firstValue(debug: Json, paths: readonly string[]): Json | undefined {
  for (const path of paths) {
    const value = valueAtPath(debug, path);
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

function sameValue(left: Json, right: Json | undefined): boolean {
  return right !== undefined && canonicalJson(left) === canonicalJson(right);
}

function sameFolded(left: Json, right: Json | undefined): boolean {
  return (
    sameValue(left, right) ||
    (right !== undefined && right !== null && foldText(asText(left)) === foldText(asText(right)))
  );
}

function asText(value: Json): string {
  return typeof value === "string" ? value : canonicalJson(value);
}

function asTextOrNone(value: Json | undefined): string {
  return value === undefined || value === null ? "none" : excerpt(asText(value));
}

function hidden(invariant: Invariant, expectation: string, evidence: string): FindingDraft {
  return { invariant, expectation, evidence, visible: false };
}
