import { type Document, LineCounter, parseDocument } from "yaml";
import type { z } from "zod";
import { nearestName } from "./nearest-name.ts";

/** What is wrong in a file a person wrote, and where. */
export interface FileError {
  readonly file: string;
  readonly line: number;
  /** Path of the setting, such as `writer.temperature`; empty when it is about the file as a whole. */
  readonly field: string;
  readonly message: string;
}

interface Source<S extends z.ZodType> {
  readonly text: string;
  readonly fileName: string;
  readonly shape: S;
}

interface Body {
  readonly body: string;
  /** Line of the file at which the body begins, from 1. */
  readonly bodyLine: number;
}

export type FrontMatter<T> = Body &
  (
    | { readonly kind: "ok"; readonly value: T }
    | { readonly kind: "errors"; readonly errors: readonly FileError[] }
  );

const fence = /^---[ \t]*$/u;

/** YAML between two lines of `---` at the head of a file, checked against a strict shape. */
export function parseFrontMatter<S extends z.ZodType>(source: Source<S>): FrontMatter<z.output<S>> {
  const lines = source.text.replace(/^\ufeff/u, "").split(/\r?\n/u);
  const isOpened = fence.test(lines[0] ?? "");
  const end = isOpened ? lines.findIndex((line, at) => at > 0 && fence.test(line)) : -1;
  if (end === -1) {
    const message = isOpened
      ? "the front matter has no closing line of ---"
      : "the file must begin with front matter between two lines of ---";
    const errors = [{ file: source.fileName, line: 1, field: "", message }];
    return { kind: "errors", errors, body: isOpened ? "" : lines.join("\n"), bodyLine: 1 };
  }
  const read = readYaml(lines.slice(1, end).join("\n"), source);
  return { ...read, body: lines.slice(end + 1).join("\n"), bodyLine: end + 2 };
}

const longestYaml = 20_000;
const deepest = 32;

/** The YAML library is recursive and slow for deep nesting, which no settings need. */
function isExcessive(yaml: string): boolean {
  let depth = 0;
  for (const [bracket] of yaml.matchAll(/[[\]{}]/gu)) {
    depth += bracket === "[" || bracket === "{" ? 1 : -1;
    if (depth > deepest) {
      return true;
    }
  }
  return yaml.length > longestYaml || /(?:[-?:][ \t]+){33}/u.test(yaml);
}

function readYaml<S extends z.ZodType>(yaml: string, { fileName, shape }: Source<S>) {
  if (isExcessive(yaml)) {
    const message = "the front matter is too long or nested too deeply";
    return { kind: "errors", errors: [{ file: fileName, line: 1, field: "", message }] } as const;
  }
  const counter = new LineCounter();
  const document = parseDocument(yaml, { lineCounter: counter, uniqueKeys: true });
  // The fence is the first line of the file.
  const lineAt = (offset: number) => counter.linePos(offset).line + 1;
  if (document.errors.length > 0) {
    const errors = document.errors.map((error) => ({
      ...{ file: fileName, line: lineAt(error.pos[0]), field: "" },
      message: error.message.split("\n")[0] ?? "not valid YAML",
    }));
    return { kind: "errors", errors } as const;
  }
  const value = toValue(document);
  const checked = shape.safeParse(value.kind === "value" ? value.value : undefined);
  if (checked.success) {
    return { kind: "ok", value: checked.data } as const;
  }
  if (value.kind === "error") {
    return {
      kind: "errors",
      errors: [{ file: fileName, line: 1, field: "", message: value.message }],
    } as const;
  }
  const errors = checked.error.issues.flatMap((issue) =>
    explain(issue, shape).map(({ path, message }) => ({
      ...{ file: fileName, line: lineAt(offsetOf(document, path)) },
      ...{ field: path.join("."), message },
    })),
  );
  return { kind: "errors", errors } as const;
}

/** Aliases that multiply beyond reason are refused by the YAML library when the value is made. */
function toValue(document: Document.Parsed) {
  try {
    return { kind: "value", value: (document.toJS() ?? {}) as unknown } as const;
  } catch (error) {
    return {
      kind: "error",
      message: error instanceof Error ? error.message : "not usable YAML",
    } as const;
  }
}

type Path = readonly PropertyKey[];

interface Explained {
  readonly path: Path;
  readonly message: string;
}

function explain(issue: z.core.$ZodIssue, shape: z.ZodType): readonly Explained[] {
  if (issue.code !== "unrecognized_keys") {
    const isMissing = issue.code === "invalid_type" && issue.message.endsWith("received undefined");
    return [{ path: issue.path, message: isMissing ? "is missing" : issue.message }];
  }
  const known = keysAt(shape, issue.path);
  return issue.keys.map((key) => {
    const nearest = nearestName(key, known);
    const hint = nearest === undefined ? "" : `; did you mean ${nearest}?`;
    return { path: [...issue.path, key], message: `is not a known setting${hint}` };
  });
}

/** The settings allowed at this place of the shape; none where the shape depends on what is written. */
function keysAt(shape: z.ZodType, path: Path): readonly string[] {
  let schema = bare(shape);
  for (const name of path) {
    const { def } = schema._zod;
    const next =
      def.type === "object"
        ? def.shape[String(name)]
        : def.type === "array"
          ? def.element
          : undefined;
    if (next === undefined) {
      return [];
    }
    schema = bare(next);
  }
  const { def } = schema._zod;
  const objects = def.type === "union" ? def.options.map(bare) : [schema];
  return objects.flatMap(({ _zod }) =>
    _zod.def.type === "object" ? Object.keys(_zod.def.shape) : [],
  );
}

function bare(schema: z.core.$ZodType): z.core.$ZodTypes {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const isWrapper = def.type === "optional" || def.type === "default" || def.type === "prefault";
  return isWrapper ? bare(def.innerType) : (schema as z.core.$ZodTypes);
}

/** Where the setting stands, or the nearest thing around it that does. */
function offsetOf(document: Document.Parsed, path: Path): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node: unknown = document.getIn(path.slice(0, length), true);
    const range =
      typeof node === "object" && node !== null && "range" in node ? node.range : undefined;
    if (Array.isArray(range)) {
      return Number(range[0]);
    }
  }
  return 0;
}
