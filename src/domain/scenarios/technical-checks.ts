import { canonicalJson } from "../values/canonical-json.ts";
import { isArray, isObject, type Json } from "../values/json.ts";
import type { CheckRules, Matches } from "./check-rules.ts";
import { datesIn } from "./dates.ts";
import { type FindingDraft, hiddenFinding, type Invariant, visibleFinding } from "./finding.ts";
import { excerpt, firstLine, foldText } from "./folded-text.ts";
import { valueAtPath } from "./json-path.ts";
import type { DebugExpectation, Step } from "./manifest.ts";
import { asText } from "./placeholder.ts";
import type { ToolCall } from "./turn.ts";

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
  /** Absent where it is not configured how an answer shows them. */
  readonly toolCalls?: readonly ToolCall[];
  readonly latencyMs?: number;
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
    ...checkToolCalls(evidence),
    ...checkLatency(evidence),
  ];
}

function checkToolCalls({ step, toolCalls = [] }: TechnicalEvidence): readonly FindingDraft[] {
  const { expectedToolCalls = [], forbiddenTools = [] } = step.expectations;
  const seen = toolCalls.map(
    ({ name, arguments: given }) => `${name}(${excerpt(canonicalJson(given))})`,
  );
  const evidence = seen.length === 0 ? "no tool was called" : seen.join(", ");
  const isMade = (name: string, wanted: { readonly [path: string]: Json } = {}) =>
    toolCalls.some(
      (call) =>
        call.name === name &&
        Object.entries(wanted).every(([path, value]) => {
          const given = valueAtPath(call.arguments, path);
          return given !== undefined && canonicalJson(given) === canonicalJson(value);
        }),
    );
  return [
    ...expectedToolCalls
      .filter((wanted) => !isMade(wanted.name, wanted.arguments))
      .map(({ name, arguments: wanted }) => {
        const withThese = wanted === undefined ? "" : ` with ${canonicalJson(wanted)}`;
        return hiddenFinding("tool_call", `expected_tool_calls: ${name}${withThese}`, evidence);
      }),
    ...forbiddenTools
      .filter((name) => isMade(name))
      .map((name) => hiddenFinding("tool_call", `forbidden_tools: ${name}`, evidence)),
  ];
}

/** An answer that was found in its session after a crash was not timed. */
function checkLatency({ step, latencyMs }: TechnicalEvidence): readonly FindingDraft[] {
  const { maxSeconds } = step.expectations;
  if (maxSeconds === undefined || latencyMs === undefined || latencyMs <= maxSeconds * 1000) {
    return [];
  }
  const took = `${(latencyMs / 1000).toFixed(1)} s`;
  return [visibleFinding("slow_answer", `max_seconds: ${maxSeconds}`, took)];
}

function checkCapability({ step, debug }: TechnicalEvidence, rules: CheckRules) {
  const { expectedCapability, forbiddenCapabilities } = step.expectations;
  const fallback = firstValue(debug, rules.debugPaths.fallback);
  const capability = asTextOrNone(firstValue(debug, rules.debugPaths.capability));
  const mode = firstValue(debug, rules.debugPaths.resultMode);
  return [
    ...(fallback === undefined || rules.noFallback.includes(asText(fallback).toLowerCase())
      ? []
      : [hiddenFinding("fallback", "no fallback", asText(fallback))]),
    ...mustEqual("capability", "expected_capability", expectedCapability, capability),
    ...mustNotBe("capability", "forbidden_capabilities", forbiddenCapabilities, capability),
    ...(mode === undefined || !rules.heuristicResultModes.includes(asText(mode))
      ? []
      : [hiddenFinding("heuristic_result", "a confirmed result", asText(mode))]),
  ];
}

function checkNamedFields({ step, debug }: TechnicalEvidence, rules: CheckRules) {
  const { expectedIntents, expectedRecipe, expectedResultMode, forbiddenRecipes } =
    step.expectations;
  const intent = asTextOrNone(firstValue(debug, rules.debugPaths.intent));
  const recipe = asTextOrNone(firstValue(debug, rules.debugPaths.recipe));
  const mode = asTextOrNone(firstValue(debug, rules.debugPaths.resultMode));
  return [
    ...(expectedIntents.length === 0 || expectedIntents.includes(intent)
      ? []
      : [hiddenFinding("intent", `expected_intents: ${expectedIntents.join(", ")}`, intent)]),
    ...mustEqual("recipe", "expected_recipe", expectedRecipe, recipe),
    ...mustNotBe("recipe", "forbidden_recipes", forbiddenRecipes, recipe),
    ...mustEqual("result_mode", "expected_result_mode", expectedResultMode, mode),
  ];
}

function mustEqual(
  invariant: Invariant,
  name: string,
  expected: string | undefined,
  actual: string,
): readonly FindingDraft[] {
  if (expected === undefined || actual === expected) return [];
  return [hiddenFinding(invariant, `${name}: ${expected}`, actual)];
}

function mustNotBe(
  invariant: Invariant,
  name: string,
  forbidden: readonly string[],
  actual: string,
): readonly FindingDraft[] {
  if (!forbidden.includes(actual)) return [];
  return [hiddenFinding(invariant, `${name}: ${forbidden.join(", ")}`, actual)];
}

function checkDebugFields({ step, debug }: TechnicalEvidence, matches: Matches) {
  return step.expectations.expectedDebugFields.flatMap((field) => {
    const { path, op, value } = field;
    const actual = valueAtPath(debug, path);
    if (fieldHolds(field, actual, matches)) return [];
    const wanted = `${path} ${op}${value === undefined ? "" : ` ${asText(value)}`}`;
    return [hiddenFinding("debug_field", wanted, asTextOrNone(actual), path)];
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
      drafts.push(hiddenFinding(invariant, expectation, asTextOrNone(actual), slot));
    }
    const shown = temporal ? datesIn(firstLine(text)) : [];
    const wantedDays = wanted.flatMap((one) => datesIn(asText(one)));
    const isOtherDay = shown.length > 0 && !shown.some((day) => wantedDays.includes(day));
    if (isOtherDay && wantedDays.length > 0) {
      const seen = visibleFinding(invariant, expectation, excerpt(firstLine(text)));
      drafts.push({ ...seen, alias: slot });
    }
    return drafts;
  });
}

function checkStateObjects({ step, debug, semanticMemory }: TechnicalEvidence, rules: CheckRules) {
  const kept = firstValue(debug, rules.debugPaths.stateObjects);
  const isKept = (name: string) =>
    (isArray(kept) && kept.includes(name)) ||
    [kept, debug, semanticMemory].some((place) => isObject(place) && hasValue(place, name));
  return step.expectations.requiredStateObjects
    .filter((name) => !isKept(name))
    .map((name) =>
      hiddenFinding("object_memory", `required_state_objects: ${name}`, "absent", name),
    );
}

function checkCarryover({ step, debug, reference }: TechnicalEvidence, rules: CheckRules) {
  return step.expectations.requiredCarryoverInvariants.flatMap((slot) => {
    const before = reference === undefined ? undefined : slotValue(reference.debug, slot, rules);
    const now = slotValue(debug, slot, rules);
    const from = reference?.stepId ?? "no earlier step";
    const expectation = `required_carryover_invariants: ${slot}`;
    if (before === undefined) {
      const evidence = `${from} shows no ${slot} to carry over`;
      return [hiddenFinding("carryover_unobserved", expectation, evidence, slot)];
    }
    if (sameFolded(before, now)) return [];
    const isTime = rules.temporalSlots.includes(slot);
    const evidence = `${from} had ${asText(before)}, now ${asTextOrNone(now)}`;
    return [
      hiddenFinding(isTime ? "temporal_honesty" : "edge_carryover", expectation, evidence, slot),
    ];
  });
}

/** A slot of the assistant's scope: one of its filters, else a field of the payload. */
function slotValue(debug: Json, slot: string, rules: CheckRules): Json | undefined {
  const paths = [...rules.debugPaths.filters.map((path) => `${path}.${slot}`), slot];
  return firstValue(debug, paths);
}

function firstValue(debug: Json, paths: readonly string[]): Json | undefined {
  const path = paths.find((one) => hasValue(debug, one));
  return path === undefined ? undefined : valueAtPath(debug, path);
}

function hasValue(root: Json, path: string): boolean {
  return (valueAtPath(root, path) ?? null) !== null;
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

function asTextOrNone(value: Json | undefined): string {
  return value === undefined || value === null ? "none" : excerpt(asText(value));
}
