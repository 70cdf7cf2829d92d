import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument } from "yaml";
import type { z } from "zod";
import { namesBelow, schemaAt } from "../config/schema-path.ts";
import type { FileError } from "./front-matter.ts";
import { nearestName } from "./nearest-name.ts";

export type ReadYaml<T> =
  | {
      readonly kind: "ok";
      readonly value: T;
      readonly lineOf: (path: readonly PropertyKey[]) => number;
    }
  | { readonly kind: "errors"; readonly errors: readonly FileError[] };

interface Source<S extends z.ZodType> {
  readonly text: string;
  readonly fileName: string;
  readonly shape: S;
}

/** One YAML file against one strict shape; everything that is wrong comes back at once. */
export function readYaml<S extends z.ZodType>(source: Source<S>): ReadYaml<z.output<S>> {
  const { fileName, shape } = source;
  const text = source.text.replace(/^\ufeff/u, "");
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, prettyErrors: false });
  const lineAt = (offset: number) => Math.max(1, counter.linePos(offset).line);
  const lineOf = (path: readonly PropertyKey[]) => lineAt(offsetOf(document, path));
  if (document.errors.length > 0) {
    const errors = document.errors.map((error) => ({
      ...{ file: fileName, line: lineAt(error.pos[0]), field: "" },
      message: `is not valid YAML: ${error.message.split("\n")[0] ?? ""}`,
    }));
    return { kind: "errors", errors };
  }
  const value = toValue(document);
  if (value.kind === "error") {
    return {
      kind: "errors",
      errors: [{ file: fileName, line: 1, field: "", message: value.message }],
    };
  }
  const checked = shape.safeParse(value.value);
  if (checked.success) return { kind: "ok", value: checked.data, lineOf };
  const errors = checked.error.issues
    .flatMap((issue) => explain(issue, shape))
    .map(({ path, message }) => ({
      ...{ file: fileName, line: lineOf(path), field: path.map(String).join("."), message },
    }));
  return { kind: "errors", errors };
}

/** The issue in words for people, one for each thing to correct. */
export function explain(issue: z.core.$ZodIssue, shape: z.core.$ZodType): readonly Explained[] {
  if (issue.code === "invalid_key") {
    const why = issue.issues[0]?.message ?? "is not a name that can be used here";
    return [{ path: issue.path, message: why }];
  }
  if (issue.code !== "unrecognized_keys") return [{ path: issue.path, message: wrongValue(issue) }];
  const place = schemaAt(shape, issue.path);
  const known = place.kind === "found" ? namesBelow(place.schema) : [];
  return issue.keys.map((key) => ({
    path: [...issue.path, key],
    message: unknownName(key, known),
  }));
}

export function unknownName(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  if (nearest !== undefined) return `is not a known setting; did you mean ${nearest}?`;
  return known.length === 0
    ? "is not a known setting"
    : `is not a known setting; known here: ${known.join(", ")}`;
}

/** Shapes say in their own words what a value must be; lists and groups have the same words everywhere. */
function wrongValue(issue: z.core.$ZodIssue): string {
  if (issue.code !== "invalid_type" || !issue.message.startsWith("Invalid input")) {
    return issue.message;
  }
  if (issue.message.endsWith("received undefined")) return "is missing";
  const isList = issue.expected === "array" || issue.expected === "tuple";
  if (isList) return "must be a list";
  return issue.expected === "string" ? "must be text" : "must be a group of settings";
}

interface Explained {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Aliases that multiply beyond reason are refused by the library when the value is made. */
function toValue(document: Document.Parsed) {
  try {
    return { kind: "value", value: withoutEmptySections(document.toJS()) } as const;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { kind: "error", message: `is not usable YAML: ${why}` } as const;
  }
}

/** `notes:` with only comments below it says nothing, and an empty file is an empty object. */
function withoutEmptySections(value: unknown): unknown {
  if (value === null || value === undefined) return {};
  if (typeof value !== "object" || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, section]) => section !== null));
}

/** Where the name of the setting stands, or the nearest thing around it that does. */
function offsetOf(document: Document.Parsed, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const around: unknown = document.getIn(path.slice(0, length - 1), true);
    const name = path[length - 1];
    const pair = isMap(around)
      ? around.items.find(({ key }) => isScalar(key) && String(key.value) === String(name))
      : undefined;
    const node: unknown = pair?.key ?? document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}
