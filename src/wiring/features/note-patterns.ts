import { RE2JS } from "re2js";
import type { MatchPattern } from "../../domain/gates/rule-gate.ts";
import type { Patterns } from "../../orchestration/gates/notes-tools.ts";

export function createPatterns(): Patterns {
  return { matches: createPatternFinder(), check: checkPattern };
}

/** Patterns of rule gates run in an engine that is linear in the text, each compiled once. */
function createPatternFinder(): MatchPattern {
  const compiled = new Map<string, RE2JS>();
  return (pattern, text) => {
    const known = compiled.get(pattern) ?? RE2JS.compile(pattern);
    compiled.set(pattern, known);
    const matcher = known.matcher(text);
    return matcher.find() ? { start: matcher.start(), end: matcher.end() } : undefined;
  };
}

function checkPattern(pattern: string): string | undefined {
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (error) {
    return `the pattern cannot be used: ${error instanceof Error ? error.message : String(error)}`;
  }
}
