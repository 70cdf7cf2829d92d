import type { Json } from "../../domain/values/json.ts";
import type { FileProblem } from "../documents/file-problem.ts";
import { type PathParts, problemAt, type ReadDocument } from "../documents/read-document.ts";
import type { PatternProblem } from "./pattern.ts";

/** Why a pattern cannot be used; the engine that will run it has the last word. */
export type PatternCheck = (pattern: string) => PatternProblem | undefined;

/** Checks every pattern of the document before any question is asked. */
export function checkPatterns(document: ReadDocument, check: PatternCheck): readonly FileProblem[] {
  return [...patternsIn(document.value, [])].flatMap(({ path, pattern }) => {
    const problem = check(pattern.replace(/\{\{[^{}]*\}\}/g, "x"));
    return problem === undefined ? [] : [problemAt(document, path, `pattern ${problem.message}`)];
  });
}

function* patternsIn(
  value: Json,
  path: PathParts,
): Generator<{ path: PathParts; pattern: string }> {
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const here = [...path, Array.isArray(value) ? Number(name) : name];
    if (typeof member === "string" && isPatternPlace(value, path, name)) {
      yield { path: here, pattern: member };
    } else {
      yield* patternsIn(member, here);
    }
  }
}

function isPatternPlace(parent: object, path: PathParts, name: string): boolean {
  const list = path.at(-1);
  const inList =
    Array.isArray(parent) && typeof list === "string" && /_patterns?(_all|_any)?$/.test(list);
  return inList || (name === "value" && "op" in parent && parent.op === "matches");
}
