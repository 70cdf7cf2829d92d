import { type Document, isMap, isNode, isScalar, type Node, parse, parseDocument } from "yaml";
import { z } from "zod";
import type { Json } from "../../domain/values/json.ts";
import type { FileError } from "../documents/front-matter.ts";
import { explain, unknownName } from "../documents/read-yaml.ts";
import { configShape } from "./config-shape.ts";
import { fromText, type SettingProblem } from "./given-settings.ts";
import { parseConfig } from "./parse-config.ts";
import { resolveSettings } from "./resolve-settings.ts";
import { bare, namesBelow, schemaAt } from "./schema-path.ts";
import { type Setting, type SettingName, settingTable } from "./setting-table.ts";

export interface ConfigEdit {
  /** Absent: there is no file yet. */
  readonly text?: string;
  readonly fileName: string;
  /** `drafting.max_turns` */
  readonly key: string;
  readonly value: string;
}

export type EditedConfig =
  | { readonly kind: "ok"; readonly text: string; readonly value: Json }
  | { readonly kind: "errors"; readonly errors: readonly FileError[] };

/** The file with one setting changed; comments, order and everything else stay. The result is checked as a whole. */
export function setConfigValue(edit: ConfigEdit): EditedConfig {
  const { fileName, key } = edit;
  const fail = (message: string): EditedConfig => ({
    ...{ kind: "errors", errors: [{ file: fileName, line: 1, field: key, message }] },
  });
  const target = targetOf(key);
  if (typeof target === "string") return fail(target);
  const value = readValue(edit.value, target.schema);
  const checked = z.safeParse(target.schema, value);
  if (!checked.success) {
    const messages = checked.error.issues
      .flatMap((issue) => explain(issue, target.schema))
      .map(({ path, message }) => (path.length === 0 ? message : `${path.join(".")} ${message}`));
    return fail(messages.join("; "));
  }
  const written = parseDocument(edit.text ?? "");
  if (written.errors.length > 0) {
    const parsed = parseConfig(edit.text ?? "", fileName);
    return parsed.kind === "errors" ? parsed : fail("stands in a file that is not valid YAML");
  }
  const text = edited(edit.text ?? "", target.path, value);
  if (text === undefined)
    return fail(
      "cannot be set: something above it is not a group of settings, or an alias (*) needs the old value",
    );
  const errors = faultsOf(text, fileName);
  return errors.length > 0 ? { kind: "errors", errors } : { kind: "ok", text, value };
}

interface Target {
  readonly path: readonly string[];
  readonly schema: z.core.$ZodTypes;
}

/** Where the value goes, or why it cannot. Names in a list of the user's own values may have dots in them. */
function targetOf(key: string): Target | string {
  const known: Setting | undefined = Object.hasOwn(settingTable, key)
    ? settingTable[key as SettingName]
    : undefined;
  if (known?.notInFile === true) {
    return `cannot stand in the file; set ${known.variables.join(" or ")}, or use its flag`;
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
    if (below.kind === "unknown") return unknownName(name, below.known);
    isOwnName = schema._zod.def.type === "record";
    path.push(name);
    schema = below.schema;
  }
  if (schema._zod.def.type === "object" && !isOwnName) {
    return `is a group of settings; name one of ${namesBelow(schema).join(", ")}`;
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
function faultsOf(text: string, fileName: string): readonly FileError[] {
  const parsed = parseConfig(text, fileName);
  if (parsed.kind === "errors") return parsed.errors;
  const sources = { flags: {}, environment: {}, dotEnv: {}, config: parsed };
  const resolved = resolveSettings(sources, (parts) => ({ parts, digest: "", isTrusted: false }));
  return resolved.kind === "ok" ? [] : resolved.problems.map((each) => fileError(each, fileName));
}

function fileError({ source, name, message }: SettingProblem, file: string): FileError {
  return { file, line: Number(source.split(":")[1] ?? 1), field: name, message };
}
