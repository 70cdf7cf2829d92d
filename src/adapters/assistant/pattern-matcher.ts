import { RE2JS } from "re2js";
import {
  markBoundaries,
  type PatternProblem,
  translatePattern,
} from "../../contract/scenarios/pattern.ts";
import type { Matches } from "../../domain/scenarios/check-rules.ts";

type Compiled = { readonly regex: RE2JS; readonly marked: boolean };

/** Patterns of manifests in a linear-time engine, each compiled once, so that no pattern can hang a run. */
export function createMatcher(): Matches {
  const compiled = new Map<string, Compiled>();
  return (pattern, text) => {
    const known = compiled.get(pattern) ?? compile(pattern);
    compiled.set(pattern, known);
    return known.regex.matcher(known.marked ? markBoundaries(text) : text).find();
  };
}

/** Why a pattern cannot be used, with construct and position where they are known. */
export function checkPattern(pattern: string): PatternProblem | undefined {
  const translation = translatePattern(pattern);
  if (translation.kind === "problem") return translation.problem;
  try {
    RE2JS.compile(translation.pattern.source);
    return undefined;
  } catch (error) {
    return {
      construct: pattern,
      position: 1,
      message: error instanceof Error ? error.message : String(error),
    };
  }
}

/** A pattern of a manifest has at most 2000 characters; substituted values add to that. */
const LONGEST = 20_000;

/** Whether a pattern of a manifest is still usable after values were substituted. */
export function isUsablePattern(pattern: string): boolean {
  if (pattern.length > LONGEST) return false;
  try {
    compile(pattern);
    return true;
  } catch {
    return false;
  }
}

function compile(pattern: string): Compiled {
  const translation = translatePattern(pattern, "with-values");
  if (translation.kind === "problem") throw new TypeError(translation.problem.message);
  const { source, marked } = translation.pattern;
  return { regex: RE2JS.compile(source), marked };
}

/** Replaces business data according to a project's rules, in order, in linear time. */
export function createRewriter(
  rules: readonly { readonly pattern: string; readonly replace: string }[],
): (text: string) => string {
  const compiled = rules.map(({ pattern, replace }) => ({
    regex: compile(pattern).regex,
    replace,
  }));
  return (text) =>
    compiled.reduce((rewritten, { regex, replace }) => {
      return regex.matcher(rewritten).replaceAll(RE2JS.quoteReplacement(replace));
    }, text);
}
