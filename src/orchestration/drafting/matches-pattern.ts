import { RE2JS } from "re2js";

const compiled = new Map<string, RE2JS>();

/** Patterns come from recipes that people write, so they run in an engine that is linear in the text. */
export function matchesPattern(pattern: string, text: string): boolean {
  const known = compiled.get(pattern) ?? RE2JS.compile(pattern);
  compiled.set(pattern, known);
  return known.matcher(text).find();
}
