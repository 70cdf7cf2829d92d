import { isArray, isObject, type Json, type JsonObject } from "../values/json.ts";

/** How much a step counts: only critical ones can have a P0, `info` steps never lower a status. */
export type Criticality = "critical" | "warning" | "info";

/** P0 and P1 prevent acceptance, and only critical steps have a P0; P2 is a remark. */
export const problemSeverities = ["P0", "P1", "P2"] as const;
export type ProblemSeverity = (typeof problemSeverities)[number];

export const DEBUG_OPERATORS = [
  "equals",
  "not_equals",
  "one_of",
  "none_of",
  "contains",
  "matches",
  "exists",
  "absent",
  "at_least",
  "at_most",
] as const;

export type DebugOperator = (typeof DEBUG_OPERATORS)[number];

/** What a field of the assistant's technical payload must look like. */
export interface DebugExpectation {
  readonly path: string;
  readonly op: DebugOperator;
  readonly value?: Json;
}

/** A tool that the assistant must have used for an answer. */
export interface ToolExpectation {
  readonly name: string;
  /** Arguments it must have been given, by path. */
  readonly arguments?: { readonly [path: string]: Json };
}

/** What a step's answer is held against. Empty lists and absent fields ask for nothing. */
export interface Expectations {
  readonly allowedReplyTypes: readonly string[];
  readonly requiredAnswerPatternsAll: readonly string[];
  readonly requiredAnswerPatternsAny: readonly string[];
  readonly requiredDirectAnswerPatternsAny: readonly string[];
  readonly forbiddenAnswerPatterns: readonly string[];
  readonly expectedIntents: readonly string[];
  readonly expectedCapability?: string;
  readonly expectedRecipe?: string;
  readonly expectedResultMode?: string;
  readonly forbiddenCapabilities: readonly string[];
  readonly forbiddenRecipes: readonly string[];
  readonly expectedDebugFields: readonly DebugExpectation[];
  readonly requiredFilters: { readonly [name: string]: readonly Json[] };
  readonly requiredStateObjects: readonly string[];
  readonly requiredAnswerShape?: string;
  readonly requiredCarryoverInvariants: readonly string[];
  readonly invariantSeverity: { readonly [invariant: string]: ProblemSeverity };
  /** Absent where nothing is asked, so that digests of older expectations stay what they were. */
  readonly maxSeconds?: number;
  readonly expectedToolCalls?: readonly ToolExpectation[];
  readonly forbiddenTools?: readonly string[];
}

/** One question of a scenario and what its answer must be. */
export interface Step {
  readonly stepId: string;
  readonly title: string;
  /** As written, placeholders included. */
  readonly question: string;
  readonly dependsOn: readonly string[];
  readonly criticality: Criticality;
  readonly expectations: Expectations;
  readonly semanticTags: readonly string[];
  /** Sent with this question alone. */
  readonly headers?: { readonly [name: string]: string };
  readonly notes?: string;
}

/** A person played by a model, who talks to the assistant until a goal is reached. */
export interface SimulatedUser {
  readonly persona: string;
  readonly goal: string;
  readonly maxTurns: number;
  /** The goal counts as reached only where an answer matches one of them; empty: the user quotes what reached it. */
  readonly goalAnswerPatternsAny: readonly string[];
  /** What every answer is held against; its question is left open. */
  readonly turn: Step;
}

/** A chain of questions asked in one session. */
export interface Scenario {
  readonly scenarioId: string;
  readonly domain: string;
  readonly title: string;
  readonly description: string;
  readonly bindings: JsonObject;
  readonly analysisContext: JsonObject;
  /** May be empty where a simulated user asks. */
  readonly steps: readonly Step[];
  /** Talks on after the steps, in the same session. */
  readonly user?: SimulatedUser;
}

/** A domain's whole pool of questions with one backlog. */
export interface Pack {
  readonly packId: string;
  readonly domain: string;
  readonly title: string;
  readonly bindings: JsonObject;
  readonly scenarios: readonly Scenario[];
}

export const NO_EXPECTATIONS: Expectations = {
  allowedReplyTypes: [],
  requiredAnswerPatternsAll: [],
  requiredAnswerPatternsAny: [],
  requiredDirectAnswerPatternsAny: [],
  forbiddenAnswerPatterns: [],
  expectedIntents: [],
  forbiddenCapabilities: [],
  forbiddenRecipes: [],
  expectedDebugFields: [],
  requiredFilters: {},
  requiredStateObjects: [],
  requiredCarryoverInvariants: [],
  invariantSeverity: {},
};

/** Anything that is not a known word counts as critical: a typing error must not weaken a check. */
export function readCriticality(word: string | undefined): Criticality {
  const folded = word?.trim().toLowerCase();
  return folded === "warning" || folded === "info" ? folded : "critical";
}

/** One value or several; anything but an object of them asks for nothing. */
export function normalizeFilters(filters: Json | undefined): Expectations["requiredFilters"] {
  if (!isObject(filters)) return {};
  return Object.fromEntries(
    Object.entries(filters).map(([name, value]) => [name, isArray(value) ? value : [value]]),
  );
}

/** The scenario's bindings on top of the pack's. */
export function bindingsOf(pack: Pack, scenario: Scenario): JsonObject {
  return { ...pack.bindings, ...scenario.bindings };
}

/** A single scenario as a pack of one. */
export function packOfOne(scenario: Scenario): Pack {
  return {
    packId: scenario.scenarioId,
    domain: scenario.domain,
    title: scenario.title,
    bindings: {},
    scenarios: [scenario],
  };
}
