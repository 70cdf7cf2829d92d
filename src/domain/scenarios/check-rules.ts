import { NOISE_PHRASES } from "./locale.ts";

/** Whether a pattern occurs in a text. Passed in by the caller, which has a linear-time engine. */
export type Matches = (pattern: string, text: string) => boolean;

/** Where the payload keeps what the fields of the manifest refer to. First path with a value wins. */
export interface DebugPaths {
  readonly intent: readonly string[];
  readonly capability: readonly string[];
  readonly recipe: readonly string[];
  readonly resultMode: readonly string[];
  readonly fallback: readonly string[];
  readonly filters: readonly string[];
  readonly stateObjects: readonly string[];
}

/** Everything about judging an answer that a project may set. */
export interface CheckRules {
  readonly garbageMarkers: readonly string[];
  readonly noisePhrases: readonly string[];
  readonly maxAnswerLines: number;
  readonly maxAnswerCharacters: number;
  readonly maxFirstLineCharacters: number;
  readonly heuristicResultModes: readonly string[];
  /** Values of the fallback field that mean there was none. */
  readonly noFallback: readonly string[];
  readonly temporalSlots: readonly string[];
  readonly debugPaths: DebugPaths;
}

/** What holds where a project's `scenarios` settings say nothing. */
export const DEFAULT_CHECK_RULES: CheckRules = {
  garbageMarkers: [
    "runtime_",
    "planner_",
    "query_movements",
    "primitive",
    "debug_payload",
    "traceback",
    "undefined",
    "[object object]",
  ],
  noisePhrases: NOISE_PHRASES.en,
  maxAnswerLines: 60,
  maxAnswerCharacters: 6000,
  maxFirstLineCharacters: 320,
  heuristicResultModes: ["heuristic", "heuristic_candidates"],
  noFallback: ["", "none", "null"],
  temporalSlots: ["as_of_date", "date", "period", "period_from", "period_to"],
  debugPaths: {
    intent: ["detected_intent"],
    capability: ["capability_id"],
    recipe: ["selected_recipe"],
    resultMode: ["result_mode"],
    fallback: ["fallback_type"],
    filters: ["extracted_filters", "filters"],
    stateObjects: ["state_objects"],
  },
};

/** Lists of a project's settings that every answer is checked against. */
export type CheckLists = Pick<CheckRules, "garbageMarkers" | "noisePhrases">;

/** Whether whatever is found with the other lists is found with these, too. Absent lists are the usual ones. */
export function coverLists(
  { garbageMarkers, noisePhrases }: CheckLists = DEFAULT_CHECK_RULES,
  others: CheckLists = DEFAULT_CHECK_RULES,
): boolean {
  return (
    others.garbageMarkers.every((marker) => garbageMarkers.includes(marker)) &&
    others.noisePhrases.every((phrase) => noisePhrases.includes(phrase))
  );
}

/** What a project has in place of the usual lists. */
export function ownLists({ garbageMarkers, noisePhrases }: CheckRules): CheckLists | undefined {
  const lists = { garbageMarkers, noisePhrases };
  return coverLists(lists) && coverLists(undefined, lists) ? undefined : lists;
}

/** Finds with one set of rules what other lists find as well. */
export function withLists(
  rules: CheckRules,
  { garbageMarkers, noisePhrases }: CheckLists = DEFAULT_CHECK_RULES,
): CheckRules {
  return {
    ...rules,
    garbageMarkers: [...new Set([...garbageMarkers, ...rules.garbageMarkers])],
    noisePhrases: [...new Set([...noisePhrases, ...rules.noisePhrases])],
  };
}
