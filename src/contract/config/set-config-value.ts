import { type Document, isMap, isNode, isScalar, type Node, parse, parseDocument } from "yaml";
import type { z } from "zod";
import type { Json } from "../../domain/values/json.ts";
import { explainShape, type ShapeFault, unknownKey } from "../documents/explain-shape.ts";
import {
  type FileProblem,
  messageWithHint,
  type Parsed,
  problems,
} from "../documents/file-problem.ts";
import { renderPath } from "../documents/read-document.ts";
import { bare, namesAt, schemaAt } from "../documents/schema-path.ts";
import { configShape } from "./config-shape.ts";
import { fromText, type SettingProblem } from "./given-settings.ts";
import { parseConfig } from "./parse-config.ts";
import { resolveSettings } from "./resolve-settings.ts";
import { type Setting, type SettingName, settingTable } from "./setting-table.ts";

export interface ConfigEdit {
  /** Absent: there is no file yet. */
  readonly text?: string;
  readonly file: string;
  /** `drafting.max_turns` */
  readonly key: string;
  readonly value: string;
}

export interface EditedConfig {
  readonly text: string;
  readonly value: Json;
}

/** The file with one setting changed; comments, order and everything else stay. The result is checked as a whole. */
export function setConfigValue(edit: ConfigEdit): Parsed<EditedConfig> {
  const { file, key } = edit;
  const fail = (fault: Fault) => problems([{ file, path: key, ...fault }]);
  const target = targetOf(key);
  if ("message" in target) return fail(target);
  const value = readValue(edit.value, target.schema);
  const checked = explainShape(target.schema, value);
  if (checked.kind === "faults") return fail({ message: checked.faults.map(faultText).join("; ") });
  const written = parseDocument(edit.text ?? "");
  if (written.errors.length > 0) {
    const parsed = parseConfig(edit.text ?? "", file);
    return parsed.kind === "problems"
      ? parsed
      : fail({ message: "is in a file that is not valid YAML" });
  }
  const text = edited(edit.text ?? "", target.path, value);
  if (text === undefined) {
    const message =
      "cannot be set: something above it is not a group of settings, or an alias (*) needs the old value";
    return fail({ message });
  }
  const found = problemsIn(text, file);
  return found.length > 0 ? problems(found) : { kind: "parsed", value: { text, value } };
}

type Fault = Pick<ShapeFault, "message" | "hint">;

function faultText(fault: ShapeFault): string {
  const text = messageWithHint(fault);
  return fault.path.length === 0 ? text : `${renderPath(fault.path)} ${text}`;
}

interface Target {
  readonly path: readonly string[];
  readonly schema: z.core.$ZodTypes;
}

/** Where the value goes, or why it cannot. Names in a list of the user's own values may have dots in them. */
function targetOf(key: string): Target | Fault {
  const known: Setting | undefined = Object.hasOwn(settingTable, key)
    ? settingTable[key as SettingName]
    : undefined;
  if (known?.notInFile === true) {
    const instead = known.variables.join(" or ");
    return { message: `cannot be in the file; set ${instead}, or use its flag` };
  }
  const path: string[] = [];
  const rest = key.split(".");
  let schema = bare(configShape);
  let isOwnName = false;
  while (rest.length > 0) {
    const isOpenValue =
      schema._zod.def.type === "record" && isPlainValue(schema._zod.def.valueType);
    const name = isOpenValue ? rest.splice(0).join(".") : String(rest.shift());
    const below = schemaAt(schema, [name]);
    if (below.kind === "unknown") return unknownKey(name, below.known);
    isOwnName = schema._zod.def.type === "record";
    path.push(name);
    schema = below.schema;
  }
  if (schema._zod.def.type === "object" && !isOwnName) {
    const names = namesAt(schema, []).join(", ");
    return { message: `is a group of settings; name one of ${names}` };
  }
  return { path, schema };
}

function isPlainValue(schema: z.core.$ZodType): boolean {
  return bare(schema)._zod.def.type !== "object";
}

/** Text settings take the words as they are; lists and groups are written as YAML. */
function readValue(text: string, schema: z.core.$ZodTypes): Json {
  if (["array", "tuple", "object", "record", "literal"].includes(schema._zod.def.type)) {
    try {
      return parse(text) as Json;
    } catch {
      return text;
    }
  }
  return fromText(text, schema);
}

function edited(given: string, path: readonly string[], value: Json): string | undefined {
  const mark = given.startsWith("\ufeff") ? "\ufeff" : "";
  const text = given.slice(mark.length);
  const document = parseDocument(text);
  const node: unknown = document.getIn(path, true);
  const [from, to] = isScalar(node) && isInline(node.type) && node.range ? node.range : [0, 0];
  if (to > from && !isGroup(value)) {
    return `${mark}${text.slice(0, from)}${inlineScalar(value)}${text.slice(to)}`;
  }
  if (document.contents !== null && !isMap(document.contents)) return undefined;
  if (!document.has("version")) document.set("version", 1);
  if (!openGroups(document, path)) return undefined;
  const fresh = document.createNode(value);
  if (isNode(node)) Object.assign(fresh, commentsOf(node));
  document.setIn(path, fresh);
  const written = rendered(document, indentOf(text));
  if (written === undefined) return undefined;
  return mark + (text.includes("\r\n") ? written.replace(/\r?\n/gu, "\r\n") : written);
}

/** Nothing when an alias (`*name`) would be left without its anchor. */
function rendered(document: Document.Parsed, indent: number): string | undefined {
  try {
    return document.toString({ lineWidth: 0, indent });
  } catch {
    return undefined;
  }
}

/** A section of comments alone becomes a group that keeps them; false where another value is in the way. */
function openGroups(document: Document.Parsed, path: readonly string[]): boolean {
  for (let length = 1; length < path.length; length += 1) {
    const around = path.slice(0, length);
    const node: unknown = document.getIn(around, true);
    if (node === undefined) return true;
    if (isMap(node)) continue;
    if (!isScalar(node) || node.value !== null) return false;
    const group = document.createNode({});
    const comments = [node.commentBefore, node.comment].filter((each) => typeof each === "string");
    if (comments.length > 0) group.commentBefore = comments.join("\n");
    document.setIn(around, group);
  }
  return true;
}

function commentsOf({ commentBefore, comment }: Node) {
  return { ...(commentBefore ? { commentBefore } : {}), ...(comment ? { comment } : {}) };
}

function isInline(type: unknown): boolean {
  return type === "PLAIN" || type === "QUOTE_SINGLE" || type === "QUOTE_DOUBLE";
}

function isGroup(value: Json): boolean {
  return typeof value === "object" && value !== null;
}

/** Plain where every reader of YAML takes it for the same text, else in JSON's quotes, which are YAML's too. */
function inlineScalar(value: Json): string {
  const text = String(value);
  const isPlain = /^[A-Za-z_][\w./-]*(?::[\w./-]+)*$/u.test(text) && parse(text) === text;
  return typeof value === "string" && !isPlain ? JSON.stringify(value) : text;
}

function indentOf(text: string): number {
  return /^( +)[^\s#-]/mu.exec(text)?.[1]?.length ?? 2;
}

/** Shape and meaning: a model name can have the right shape and name no provider. */
function problemsIn(text: string, file: string): readonly FileProblem[] {
  const parsed = parseConfig(text, file);
  if (parsed.kind === "problems") return parsed.problems;
  const sources = { flags: {}, environment: {}, dotEnv: {}, config: parsed.value };
  const resolved = resolveSettings(sources, (parts) => ({ parts, digest: "", isTrusted: false }));
  return resolved.kind === "ok" ? [] : resolved.problems.map((each) => fileProblem(each, file));
}

function fileProblem({ source, name, message }: SettingProblem, file: string): FileProblem {
  return { file, line: Number(source.split(":")[1] ?? 1), path: name, message };
}
