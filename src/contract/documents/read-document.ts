import {
  type Document,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
} from "yaml";
import type { z } from "zod";
import { defined } from "../../domain/values/defined.ts";
import type { Json } from "../../domain/values/json.ts";
import type { FileProblem, Parsed } from "./manifest-problem.ts";
import { nearestName } from "./nearest-name.ts";

export type PathParts = readonly (string | number)[];

/** A file as a value that still knows where each part of it stands. */
export interface ReadDocument {
  readonly file: string;
  readonly value: Json;
  readonly problemAt: (path: PathParts, message: string, hint?: string) => FileProblem;
}

/** YAML 1.2, which JSON is part of. A BOM is tolerated; two equal keys and custom tags are not. */
export function readDocument(file: string, text: string): Parsed<ReadDocument> {
  const lines = new LineCounter();
  const document = parseDocument(text.replace(/^\uFEFF/, ""), {
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: true,
    version: "1.2",
  });
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(1, line), column: Math.max(1, col) };
  };
  const broken = [...document.errors, ...document.warnings];
  if (broken.length > 0) {
    return {
      kind: "problems",
      problems: broken.map((error) => ({
        ...place(error.pos[0]),
        path: "",
        message: error.message,
      })),
    };
  }
  const problemAt = (path: PathParts, message: string, hint?: string): FileProblem => ({
    ...place(offsetOf(document, path)),
    path: renderPath(path),
    message,
    ...defined({ hint }),
  });
  if (!isMap(document.contents)) {
    return { kind: "problems", problems: [problemAt([], `Expected an object in ${file}`)] };
  }
  try {
    const value = document.toJS({ maxAliasCount: 100 }) as Json;
    if (hasLoop(value, [])) {
      return {
        kind: "problems",
        problems: [problemAt([], "an alias stands inside what it names")],
      };
    }
    return { kind: "parsed", value: { file, value, problemAt } };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { kind: "problems", problems: [problemAt([], message)] };
  }
}

function hasLoop(value: Json, above: readonly Json[]): boolean {
  if (typeof value !== "object" || value === null) return false;
  return (
    above.includes(value) || Object.values(value).some((one) => hasLoop(one, [...above, value]))
  );
}

/** Checks a document against a strict shape; an unknown key is answered with the nearest known one. */
export function checkShape<S extends z.ZodType>(
  document: ReadDocument,
  schema: S,
): Parsed<z.output<S>> {
  const result = schema.safeParse(document.value);
  if (result.success) {
    return { kind: "parsed", value: result.data };
  }
  const problems = result.error.issues.flatMap((issue) => problemsOf(issue, document, schema));
  return { kind: "problems", problems };
}

function renderPath(path: PathParts): string {
  return path
    .map((part, index) =>
      typeof part === "number" ? `[${part}]` : index === 0 ? part : `.${part}`,
    )
    .join("");
}

function problemsOf(
  issue: z.core.$ZodIssue,
  document: ReadDocument,
  schema: z.ZodType,
): readonly FileProblem[] {
  const path = issue.path.map((part) => (typeof part === "symbol" ? String(part) : part));
  if (issue.code === "unrecognized_keys") {
    const known = keysAt(schema, path);
    return issue.keys.map((key) => {
      const nearest = nearestName(key, known);
      const hint = nearest === undefined ? undefined : `did you mean ${nearest}?`;
      return document.problemAt([...path, key], `unknown key ${key}`, hint);
    });
  }
  if (issue.code === "invalid_union") {
    const branch = nearestBranch(issue.errors);
    const inner = branch.flatMap((error) =>
      problemsOf(
        { ...error, path: [...issue.path, ...error.path] } as z.core.$ZodIssue,
        document,
        schema,
      ),
    );
    return inner.length > 0 ? inner : [document.problemAt(path, issue.message)];
  }
  return [document.problemAt(path, issue.message)];
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

/** The names an object schema knows at a path. */
function keysAt(schema: z.ZodType, path: PathParts): readonly string[] {
  const def = (schema as { readonly def?: SchemaDef }).def;
  if (def === undefined) {
    return [];
  }
  if (def.options !== undefined) {
    return def.options.flatMap((option) => keysAt(option, path));
  }
  const inner = def.innerType ?? def.in;
  if (inner !== undefined) {
    return keysAt(inner, path);
  }
  const [head, ...rest] = path;
  if (head === undefined) {
    return Object.keys(def.shape ?? {});
  }
  const next = typeof head === "number" ? def.element : def.shape?.[head];
  return next === undefined ? [] : keysAt(next, rest);
}

interface SchemaDef {
  readonly shape?: { readonly [name: string]: z.ZodType };
  readonly element?: z.ZodType;
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly options?: readonly z.ZodType[];
}

/** Where the path stands; of a missing part, where its parent stands. */
function offsetOf(document: Document, path: PathParts): number {
  let node: unknown = document.contents;
  let offset = startOf(node);
  for (const part of path) {
    if (isSeq(node) && typeof part === "number") {
      node = node.items[part];
    } else if (isMap(node)) {
      const pair = node.items.find(
        (item) => isPair(item) && isScalar(item.key) && String(item.key.value) === String(part),
      );
      offset = startOf(pair?.key) || offset;
      node = pair?.value;
      continue;
    } else {
      return offset;
    }
    offset = startOf(node) || offset;
  }
  return offset;
}

function startOf(node: unknown): number {
  return (node as Node | undefined)?.range?.[0] ?? 0;
}
