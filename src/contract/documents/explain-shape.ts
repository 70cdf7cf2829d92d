import { z } from "zod";
import { defined } from "../../domain/values/defined.ts";
import { nearestName } from "./nearest-name.ts";
import { namesAt } from "./schema-path.ts";

/** Something a value has that its shape does not allow, in words for people. */
export interface ShapeFault {
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly hint?: string;
}

export type CheckedShape<T> =
  | { readonly kind: "fits"; readonly value: T }
  | { readonly kind: "faults"; readonly faults: readonly ShapeFault[] };

/** Checks a value against a shape and explains every fault. A message of the shape's own wins over ours. */
export function explainShape<S extends z.core.$ZodType>(
  shape: S,
  value: unknown,
): CheckedShape<z.output<S>> {
  const checked = z.safeParse(shape, value, { error: plainWords, jitless: true });
  if (checked.success) return { kind: "fits", value: checked.data };
  const issues = checked.error.issues.slice(0, mostFaults);
  const faults = issues.flatMap((issue) => explain(issue, shape)).slice(0, mostFaults);
  return { kind: "faults", faults };
}

/** Of one document: more are not worth reading, and each has to be explained and found. */
export const mostFaults = 100;

/** Says that a name is unknown, with the nearest known one, or all of them where they are few. */
export function unknownKey(
  name: string,
  known: readonly string[],
): Pick<ShapeFault, "message" | "hint"> {
  const nearest = nearestName(name, known);
  const all = known.length > 0 && known.length <= 12 ? `known: ${known.join(", ")}` : undefined;
  const hint = nearest === undefined ? all : `did you mean ${nearest}?`;
  return { message: "is not a known key", ...defined({ hint }) };
}

function explain(issue: z.core.$ZodIssue, shape: z.core.$ZodType): readonly ShapeFault[] {
  const path = issue.path.map((part) => (typeof part === "symbol" ? String(part) : part));
  switch (issue.code) {
    case "unrecognized_keys": {
      const known = [...new Set(namesAt(shape, path))];
      return issue.keys
        .slice(0, mostFaults)
        .map((key) => ({ path: [...path, key], ...unknownKey(key, known) }));
    }
    case "invalid_key":
      return [{ path, message: issue.issues[0]?.message ?? issue.message }];
    case "invalid_union": {
      const inner = nearestBranch(issue.errors).flatMap((error) =>
        explain({ ...error, path: [...issue.path, ...error.path] } as z.core.$ZodIssue, shape),
      );
      return inner.length > 0 ? inner : [{ path, message: issue.message }];
    }
    default:
      return [{ path, message: issue.message }];
  }
}

/** The form that was probably meant: the one whose own keys fit best, whatever is wrong deeper down. */
function nearestBranch(branches: readonly (readonly z.core.$ZodIssue[])[]) {
  const misfits = (issues: readonly z.core.$ZodIssue[]) =>
    issues.reduce((sum, issue) => {
      if (issue.path.length > 1) return sum;
      return sum + (issue.code === "unrecognized_keys" ? issue.keys.length : 1);
    }, 0);
  const ofItsKind = branches.filter(
    (issues) => !issues.some(({ code, path }) => code === "invalid_type" && path.length === 0),
  );
  return ofItsKind.toSorted((left, right) => misfits(left) - misfits(right))[0] ?? [];
}

const kinds: { readonly [expected: string]: string } = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  tuple: "a list",
  object: "a mapping of keys to values",
  record: "a mapping of keys to values",
};

function plainWords(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined && issue.code !== "custom") return "is missing";
  switch (issue.code) {
    case "invalid_type":
      return `must be ${kinds[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return `must be ${issue.values
        .map(String)
        .join(", ")
        .replace(/, ([^,]*)$/u, " or $1")}`;
    case "too_small":
      return sizeWords(issue.origin, "least", Number(issue.minimum));
    case "too_big":
      return sizeWords(issue.origin, "most", Number(issue.maximum));
    case "invalid_union":
      return "has none of the forms that are allowed here";
    default:
      return undefined;
  }
}

function sizeWords(origin: string, bound: "least" | "most", limit: number): string {
  if (origin === "string" || origin === "array") {
    if (bound === "least" && limit === 1) return "must not be empty";
    return `must have at ${bound} ${limit} ${origin === "string" ? "characters" : "entries"}`;
  }
  return `must be at ${bound} ${limit}`;
}
