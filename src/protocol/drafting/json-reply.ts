import {
  isArray,
  isObject,
  type Json,
  type JsonObject,
  parseJson,
} from "../../domain/values/json.ts";
import { stripReasoning } from "./reasoning.ts";

/** `none`: no object starts, so the reply may be prose. `broken`: one does, and cannot be trusted. */
export type JsonReply =
  | { readonly kind: "found"; readonly objects: readonly JsonObject[] }
  | { readonly kind: "none" }
  | { readonly kind: "broken"; readonly error: string };

const deepest = 64;

/**
 * All top-level JSON objects of a model's reply: the whole text, a fenced block, or objects amid prose. One that is
 * cut or damaged spoils the reply, because what looks like an object behind or inside it may be a part of it. So
 * does one with a key given twice or nested beyond all reason: two readers would disagree about the first, and the
 * second breaks recursive code. One pass, whatever the input.
 */
export function findJson(text: string): JsonReply {
  const whole = text.trim();
  if (!isOneObject(whole)) return findObjects(stripReasoning(text));
  const value = parseJson(whole);
  return value === undefined ? findObjects(whole) : { kind: "found", objects: objectsOf(value) };
}

/** Whether the text is one JSON object from end to end. Then tags inside its strings are text, not reasoning. */
export function isOneObject(text: string): boolean {
  if (!text.startsWith("{")) return false;
  const span = spanValue(text, 0);
  return span.kind === "span" && span.end === text.length;
}

function findObjects(text: string): JsonReply {
  const objects: JsonObject[] = [];
  let end = 0;
  for (let at = nextStart(text, 0); at !== undefined; at = nextStart(text, end)) {
    if (leavesBraceOpen(text.slice(end, at))) {
      return { kind: "broken", error: "the JSON object is inside braces that are not JSON" };
    }
    const span = spanValue(text, at);
    if (span.kind === "broken") return span;
    end = span.end;
    const value = parseValue(text.slice(at, end));
    if (value === undefined) return { kind: "broken", error: "the JSON object is not valid JSON" };
    for (const each of objectsOf(value)) {
      objects.push(each);
    }
  }
  return objects.length > 0 ? { kind: "found", objects } : { kind: "none" };
}

/** Then what follows may be a part of an object that is written in another notation. */
function leavesBraceOpen(prose: string): boolean {
  let open = 0;
  for (const [brace] of prose.matchAll(/[{}]/gu)) {
    open = brace === "{" ? open + 1 : Math.max(0, open - 1);
  }
  return open > 0;
}

function objectsOf(value: Json): readonly JsonObject[] {
  return (isArray(value) ? value : [value]).filter(isObject);
}

const objectStart = /(?:\[\s*)?\{\s*(?=["}])|\{\s*$/gu;

function nextStart(text: string, from: number): number | undefined {
  objectStart.lastIndex = from;
  return objectStart.exec(text)?.index;
}

type Span =
  | { readonly kind: "span"; readonly end: number }
  | { readonly kind: "broken"; readonly error: string };

/** Where the object or list beginning here ends, and whether all readers would understand it alike. */
function spanValue(text: string, from: number): Span {
  const open: (Set<string> | undefined)[] = [];
  const interesting = /["{}[\]]/gu;
  interesting.lastIndex = from;
  while (interesting.test(text)) {
    const at = interesting.lastIndex - 1;
    const isText = text[at] === '"';
    const end = isText ? endOfString(text, at) : at + 1;
    if (end === undefined) break;
    interesting.lastIndex = end;
    const isKey = isText && isFollowedByColon(text, end);
    const error = follow(open, text.slice(at, end), isKey);
    if (error !== undefined) return { kind: "broken", error };
    if (open.length === 0) return { kind: "span", end };
  }
  return { kind: "broken", error: "the JSON object is cut off before its end" };
}

/** Keeps account of open brackets and of the keys seen in each; a list has no keys. */
function follow(
  open: (Set<string> | undefined)[],
  token: string,
  isKey: boolean,
): string | undefined {
  if (token === "{" || token === "[") {
    open.push(token === "{" ? new Set() : undefined);
    const isTooDeep = open.length > deepest;
    return isTooDeep ? `the JSON object is nested deeper than ${deepest} levels` : undefined;
  }
  if (token === "}" || token === "]") {
    open.pop();
    return undefined;
  }
  const keys = open.at(-1);
  const name = isKey && keys !== undefined ? readString(token) : undefined;
  if (name !== undefined && keys?.has(name)) {
    return `the key ${token} occurs twice in one JSON object`;
  }
  if (name !== undefined) keys?.add(name);
  return undefined;
}

/** Behind the closing quotation mark of the string that begins here; absent when it has none. */
export function endOfString(text: string, from: number): number | undefined {
  for (let at = text.indexOf('"', from + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text[at - 1 - escapes] === "\\") escapes += 1;
    if (escapes % 2 === 0) return at + 1;
  }
  return undefined;
}

const colon = /\s*:/uy;

function isFollowedByColon(text: string, at: number): boolean {
  colon.lastIndex = at;
  return colon.test(text);
}

function readString(text: string): string | undefined {
  const value = parseJson(text);
  return value === undefined ? undefined : String(value);
}

function parseValue(text: string): Json | undefined {
  return parseJson(text) ?? parseJson(mend(text));
}

const trailingComma = /,(?=\s*[}\]])/gu;
const control = /\p{Cc}/gu;

/** The two slips small models make: raw line breaks inside strings, and a comma after the last member. */
function mend(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', from)) {
    const end = endOfString(text, at) ?? text.length;
    parts.push(text.slice(from, at).replace(trailingComma, ""));
    parts.push(text.slice(at, end).replace(control, escapeControl));
    from = end;
  }
  parts.push(text.slice(from).replace(trailingComma, ""));
  return parts.join("");
}

function escapeControl(character: string): string {
  return JSON.stringify(character).slice(1, -1);
}
