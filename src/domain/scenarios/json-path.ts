import { isArray, isObject, type Json } from "../values/json.ts";

export type PathPart = string | number;

/** Own members only: `constructor` or `__proto__` of a payload name nothing. */
export function valueAt(root: Json | undefined, parts: readonly PathPart[]): Json | undefined {
  let value = root;
  for (const part of parts) {
    value = memberOf(value, part);
    if (value === undefined) return undefined;
  }
  return value;
}

function memberOf(value: Json | undefined, part: PathPart): Json | undefined {
  if (typeof part === "number") return isArray(value) ? value[part] : undefined;
  return isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined;
}

const PART = /\.?([\p{L}\p{N}_-]+)|\[(\d{1,6})\]/uy;

/** `filters.item` or `entries[0].item`; undefined when the text is not such a path. */
export function parsePath(text: string): readonly PathPart[] | undefined {
  const parts: PathPart[] = [];
  let position = 0;
  while (position < text.length) {
    PART.lastIndex = position;
    const match = PART.exec(text);
    if (match === null || (position > 0 && match[1] !== undefined && text[position] !== ".")) {
      return undefined;
    }
    if (position === 0 && text[0] === ".") return undefined;
    parts.push(match[1] ?? Number(match[2]));
    position = PART.lastIndex;
  }
  return parts.length === 0 ? undefined : parts;
}

export function valueAtPath(root: Json | undefined, path: string): Json | undefined {
  const parts = parsePath(path);
  return parts === undefined ? undefined : valueAt(root, parts);
}
