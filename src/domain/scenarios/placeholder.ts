import { canonicalJson } from "../values/canonical-json.ts";
import { isArray, isObject, type Json, type JsonObject } from "../values/json.ts";
import { type PathPart, parsePath, valueAt } from "./json-path.ts";
import type { DebugExpectation, Expectations, Step } from "./manifest.ts";

/** Names a placeholder may start with beside the ids of earlier steps. */
export const RESERVED_ROOTS = ["bindings", "semantic_memory"] as const;

export interface Placeholder {
  /** As written between the braces. */
  readonly expression: string;
  readonly root: string;
  readonly path: readonly PathPart[];
  readonly start: number;
  readonly end: number;
}

/** Why a `{{…}}` of a question or an expectation has no value. */
export interface PlaceholderProblem {
  readonly expression: string;
  readonly reason:
    | "malformed"
    | "unknown_root"
    | "missing_value"
    | "null_value"
    | "step_without_answer"
    | "unusable_in_pattern";
}

/** What placeholders can see: earlier steps that have an answer, the session's memory, the bindings. */
export interface PlaceholderScope {
  readonly bindings: JsonObject;
  readonly semanticMemory: Json;
  readonly steps: ReadonlyMap<string, Json>;
  /** Earlier steps that were not answered; naming one is another problem than naming nothing. */
  readonly unanswered: ReadonlySet<string>;
}

/** The value with all placeholders filled in, or the first that could not be. */
export type Resolved<T> =
  | { readonly kind: "resolved"; readonly value: T }
  | { readonly kind: "unresolved"; readonly problem: PlaceholderProblem };

/** All placeholders of a text in order, or the first one that cannot be read. */
export function parsePlaceholders(text: string): Resolved<readonly Placeholder[]> {
  const found: Placeholder[] = [];
  let from = 0;
  for (;;) {
    const start = text.indexOf("{{", from);
    if (start < 0) return { kind: "resolved", value: found };
    const close = text.indexOf("}}", start + 2);
    const expression = text.slice(start + 2, close < 0 ? undefined : close).trim();
    const parts = close < 0 ? undefined : parsePath(expression);
    const root = parts?.[0];
    if (parts === undefined || typeof root !== "string") return unresolved(expression, "malformed");
    found.push({ expression, root, path: parts.slice(1), start, end: close + 2 });
    from = close + 2;
  }
}

/**
 * A placeholder that is the whole text keeps the type of its value; inside a longer text it becomes text.
 * What was put in is not read again.
 */
export function resolveText(
  text: string,
  scope: PlaceholderScope,
  quote: (value: string) => string = (value) => value,
): Resolved<Json> {
  const parsed = parsePlaceholders(text);
  if (parsed.kind === "unresolved") return parsed;
  let result = "";
  let from = 0;
  for (const placeholder of parsed.value) {
    const looked = lookUp(placeholder, scope);
    if (looked.kind === "unresolved") return looked;
    const isWholeText = placeholder.start === 0 && placeholder.end === text.length;
    if (isWholeText && typeof looked.value !== "string") return looked;
    result += text.slice(from, placeholder.start) + quote(asText(looked.value));
    from = placeholder.end;
  }
  return { kind: "resolved", value: result + text.slice(from) };
}

/** Resolves every text inside a value; names of members are left alone. */
export function resolveJson(value: Json, scope: PlaceholderScope): Resolved<Json> {
  if (typeof value === "string") return resolveText(value, scope);
  if (isArray(value)) return resolveEach(value, (element) => resolveJson(element, scope));
  if (!isObject(value)) return { kind: "resolved", value };
  const values = resolveEach(Object.values(value), (member) => resolveJson(member, scope));
  return mapResolved(values, (list) =>
    Object.fromEntries(Object.keys(value).map((name, index) => [name, list[index] ?? null])),
  );
}

/**
 * The step as it is asked and judged: question and expectations with every placeholder replaced. An assistant's
 * words can make a pattern that no engine accepts, such as one that is far too long; `isUsable` finds out.
 */
export function resolveStep(
  step: Step,
  scope: PlaceholderScope,
  isUsable: (pattern: string) => boolean,
): Resolved<Step> {
  if (!textsOfStep(step).some((text) => text.includes("{{"))) {
    return { kind: "resolved", value: step };
  }
  const question = resolveText(step.question, scope);
  if (question.kind === "unresolved") return question;
  return mapResolved(resolveExpectations(step.expectations, scope, isUsable), (expectations) => ({
    ...step,
    question: asText(question.value),
    expectations,
  }));
}

/** Ids and reserved names that the question and the expectations of a step refer to. */
export function rootsOf(step: Step): ReadonlySet<string> {
  return new Set(
    textsOfStep(step).flatMap((text) => {
      const parsed = parsePlaceholders(text);
      return parsed.kind === "resolved" ? parsed.value.map(({ root }) => root) : [];
    }),
  );
}

/** Every text of the question and the expectations that may hold a placeholder. */
export function textsOfStep({ question, expectations }: Step): readonly string[] {
  const texts = [question];
  collectTexts(expectations, texts);
  return texts;
}

function collectTexts(value: unknown, texts: string[]): void {
  if (typeof value === "string") {
    texts.push(value);
  } else if (typeof value === "object" && value !== null) {
    for (const member of Object.values(value)) collectTexts(member, texts);
  }
}

const PATTERN_FIELDS = [
  "requiredAnswerPatternsAll",
  "requiredAnswerPatternsAny",
  "requiredDirectAnswerPatternsAny",
  "forbiddenAnswerPatterns",
] as const;

function resolveExpectations(
  expectations: Expectations,
  scope: PlaceholderScope,
  isUsable: (pattern: string) => boolean,
): Resolved<Expectations> {
  const { invariantSeverity, ...resolvable } = expectations;
  const asPattern = (pattern: string) => resolvePattern(pattern, scope, isUsable);
  const patterns: { [field: string]: Json } = {};
  for (const field of PATTERN_FIELDS) {
    const resolved = resolveEach(expectations[field], asPattern);
    if (resolved.kind === "unresolved") return resolved;
    patterns[field] = resolved.value;
  }
  const fields = resolveEach(expectations.expectedDebugFields, (field) =>
    resolveDebugField(field, scope, asPattern),
  );
  if (fields.kind === "unresolved") return fields;
  const done = { ...patterns, expectedDebugFields: fields.value };
  const others = Object.fromEntries(
    Object.entries(resolvable).filter(([field]) => !Object.hasOwn(done, field)),
  );
  const resolved = resolveJson(JSON.parse(JSON.stringify(others)) as Json, scope);
  return mapResolved(
    resolved,
    (value) => ({ ...(value as object), ...done, invariantSeverity }) as unknown as Expectations,
  );
}

function resolvePattern(
  pattern: string,
  scope: PlaceholderScope,
  isUsable: (pattern: string) => boolean,
): Resolved<Json> {
  const resolved = resolveText(pattern, scope, quotePattern);
  if (resolved.kind === "unresolved") return resolved;
  const { value } = resolved;
  const text = typeof value === "string" ? value : quotePattern(canonicalJson(value));
  return text === pattern || isUsable(text)
    ? { kind: "resolved", value: text }
    : unresolved(pattern.replace(/^.*?\{\{|\}\}.*$/gs, "").trim(), "unusable_in_pattern");
}

function resolveDebugField(
  { path, op, value }: DebugExpectation,
  scope: PlaceholderScope,
  asPattern: (pattern: string) => Resolved<Json>,
): Resolved<Json> {
  const at = resolveText(path, scope);
  if (at.kind === "unresolved") return at;
  if (value === undefined) return { kind: "resolved", value: { path: at.value, op } };
  const isPattern = op === "matches" && typeof value === "string";
  const wanted = isPattern ? asPattern(value) : resolveJson(value, scope);
  return mapResolved(wanted, (resolved) => ({ path: at.value, op, value: resolved }));
}

/** A value put into a pattern matches only its own characters. */
function quotePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

function lookUp(placeholder: Placeholder, scope: PlaceholderScope): Resolved<Json> {
  const { expression, root, path } = placeholder;
  const base =
    root === "bindings"
      ? scope.bindings
      : root === "semantic_memory"
        ? scope.semanticMemory
        : scope.steps.get(root);
  if (base === undefined) {
    return unresolved(
      expression,
      scope.unanswered.has(root) ? "step_without_answer" : "unknown_root",
    );
  }
  const value = valueAt(base, path);
  if (value === undefined) return unresolved(expression, "missing_value");
  return value === null ? unresolved(expression, "null_value") : { kind: "resolved", value };
}

function resolveEach<T>(
  values: readonly T[],
  resolve: (value: T) => Resolved<Json>,
): Resolved<readonly Json[]> {
  const results: Json[] = [];
  for (const value of values) {
    const resolved = resolve(value);
    if (resolved.kind === "unresolved") return resolved;
    results.push(resolved.value);
  }
  return { kind: "resolved", value: results };
}

function mapResolved<A, B>(resolved: Resolved<A>, map: (value: A) => B): Resolved<B> {
  if (resolved.kind === "unresolved") return resolved;
  return { kind: "resolved", value: map(resolved.value) };
}

/** A value as it is put into a text. */
export function asText(value: Json): string {
  return typeof value === "string" ? value : canonicalJson(value);
}

function unresolved(
  expression: string,
  reason: PlaceholderProblem["reason"],
): { readonly kind: "unresolved"; readonly problem: PlaceholderProblem } {
  return { kind: "unresolved", problem: { expression, reason } };
}
