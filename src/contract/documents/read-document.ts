import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
} from "yaml";
import type { z } from "zod";
import { defined } from "../../domain/values/defined.ts";
import type { Json } from "../../domain/values/json.ts";
import { lazily } from "../../domain/values/lazily.ts";
import { visibleLine } from "../../domain/values/visible.ts";
import { explainShape, mostFaults } from "./explain-shape.ts";
import { type FileProblem, type Parsed, problems } from "./file-problem.ts";

export type PathParts = readonly (string | number)[];

export interface DocumentSource {
  /** As the person named it; every problem starts with it. */
  readonly file: string;
  readonly text: string;
}

export interface YamlSource extends DocumentSource {
  /** Line of the file at which the text begins; 1 unless it is front matter. */
  readonly firstLine?: number;
  /** Most characters, a million by default: reading YAML takes seconds for every million. */
  readonly longest?: number;
  /** Take a value with an unknown tag (`!name`) as if it had none. */
  readonly ignoreTags?: boolean;
}

interface Place {
  readonly line: number;
  readonly column: number;
}

/** A file as a value that still knows where each part of it is. */
export interface ReadDocument {
  readonly file: string;
  readonly value: Json;
  readonly placeOf: (path: PathParts) => Place | undefined;
}

/**
 * YAML 1.2, which JSON is part of, with a mapping at the top; an empty text is an empty mapping. A byte order mark is
 * tolerated. Two equal keys are not.
 */
export function readYaml(source: YamlSource): Parsed<ReadDocument> {
  const { file } = source;
  const text = source.text.replace(/^\uFEFF/u, "");
  const { longest = mostCharacters, firstLine = 1 } = source;
  const fail = (message: string, place: Place = { line: firstLine, column: 1 }) =>
    ({ file, ...place, path: "", message, rule: "yaml" }) as const;
  if (text.length > longest) {
    return problems([fail(`has ${text.length} characters; at most ${longest} are read`)]);
  }
  if (manyMarks.test(text)) return problems([fail("is nested too deeply")]);
  try {
    const { document, place } = parseWithPlaces(text, firstLine);
    const faults = findFaults(document, source.ignoreTags ?? false);
    if (faults.length > 0) {
      return problems(faults.map(({ message, offset }) => fail(message, place(offset))));
    }
    const value = toJson(document.toJS({ maxAliasCount: 100 }) ?? {}, new Set());
    const placeOf = (path: PathParts) => place(offsetOf(document, path));
    return { kind: "parsed", value: { file, value, placeOf } };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return problems([fail(`is not usable YAML: ${message}`)]);
  }
}

/** JSON that programs write. It is read a hundred times faster than YAML; places are found once something is wrong. */
export function readJson({ file, text }: DocumentSource): Parsed<ReadDocument> {
  const json = text.replace(/^\uFEFF/u, "");
  try {
    const value = JSON.parse(json) as Json;
    const located = lazily(() => parseWithPlaces(json, 1));
    const placeOf = (path: PathParts) => {
      if (json.length > longestLocatedJson) return undefined;
      const { document, place } = located();
      return place(offsetOf(document, path));
    };
    return { kind: "parsed", value: { file, value, placeOf } };
  } catch (error) {
    const message = `is not JSON: ${error instanceof Error ? error.message : String(error)}`;
    const [, line, column] = /\(line (\d+) column (\d+)\)/u.exec(message) ?? [];
    const place = line === undefined ? {} : { line: Number(line), column: Number(column) };
    return problems([{ file, ...place, path: "", message, rule: "json" }]);
  }
}

/** Checks a document against a strict shape; everything that is wrong comes back at once. */
export function checkShape<S extends z.ZodType>(
  document: ReadDocument,
  shape: S,
): Parsed<z.output<S>> {
  const checked = explainShape(shape, document.value);
  if (checked.kind === "fits") return { kind: "parsed", value: checked.value };
  return problems(
    checked.faults.map(({ path, message, hint }) => ({
      ...problemAt(document, path, message),
      ...defined({ hint }),
      rule: "shape",
    })),
  );
}

export function problemAt(document: ReadDocument, path: PathParts, message: string): FileProblem {
  return { file: document.file, ...document.placeOf(path), path: renderPath(path), message };
}

export function renderPath(path: PathParts): string {
  return path
    .map((part, at) =>
      typeof part === "number" ? `[${part}]` : `${at === 0 ? "" : "."}${visibleLine(part)}`,
    )
    .join("");
}

const mostCharacters = 1_000_000;

/** The YAML library needs quadratic time for such a line, which no person writes. */
const manyMarks = /(?:[-?:][ \t]+){100}/u;

function parseWithPlaces(text: string, firstLine: number) {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    logLevel: "error",
    // The library compares every key with every other one; see `findDoubledKeys`.
    uniqueKeys: false,
    version: "1.2",
  });
  const place = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line) + firstLine - 1, column: Math.max(1, col) };
  };
  return { document, place };
}

interface Fault {
  readonly message: string;
  readonly offset: number;
}

function findFaults(document: Document.Parsed, ignoreTags: boolean): readonly Fault[] {
  const broken = [...document.errors, ...(ignoreTags ? [] : document.warnings)];
  // The library runs out of stack and goes on with errors that only follow from it.
  const tooDeep = broken.find(({ message }) => /call stack|stack overflow/iu.test(message));
  if (tooDeep !== undefined) return [{ message: "is nested too deeply", offset: tooDeep.pos[0] }];
  if (broken.length > 0) {
    return broken.slice(0, mostFaults).map(({ code, message, pos }) => ({
      ...{ message: inPlainWords(code, message), offset: pos[0] },
    }));
  }
  if (document.contents !== null && !isMap(document.contents)) {
    return [{ message: "must be a mapping of keys to values", offset: startOf(document.contents) }];
  }
  return findDoubledKeys(document).slice(0, mostFaults);
}

/** The library's own words, but for those about its functions. */
function inPlainWords(code: string, message: string): string {
  if (code === "MULTIPLE_DOCS") return "must be one document, without a second one after ---";
  return `is not valid YAML: ${message}`;
}

function findDoubledKeys(document: Document.Parsed): readonly Fault[] {
  const faults: Fault[] = [];
  visit(document, {
    Map: (_, map) => {
      const seen = new Set<unknown>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        const message = `is not valid YAML: the key ${String(key.value)} is not unique`;
        if (seen.has(key.value)) faults.push({ message, offset: startOf(key) });
        seen.add(key.value);
      }
    },
  });
  return faults;
}

/** YAML knows values that JSON does not; they become their text. */
function toJson(value: unknown, above: Set<unknown>): Json {
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (value === null || value === undefined) return null;
  if (typeof value !== "object") return String(value);
  if (above.has(value)) throw new Error("an alias is inside the value that it names");
  above.add(value);
  const json = Array.isArray(value)
    ? value.map((item) => toJson(item, above))
    : Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toJson(item, above)]));
  above.delete(value);
  return json;
}

/** Where the key or entry is; of a missing part, where its parent is. */
function offsetOf(document: Document.Parsed, path: PathParts): number {
  let node: unknown = document.contents;
  let offset = startOf(node);
  for (const part of path) {
    if (isSeq(node)) {
      node = node.items[Number(part)];
      offset = startOf(node) || offset;
    } else if (isMap(node)) {
      const pair = node.items.find(
        ({ key }) => isScalar(key) && String(key.value) === String(part),
      );
      offset = startOf(pair?.key) || offset;
      node = pair?.value;
    } else {
      return offset;
    }
  }
  return offset;
}

function startOf(node: unknown): number {
  return (node as Node | null | undefined)?.range?.[0] ?? 0;
}

const longestLocatedJson = 1_000_000;
