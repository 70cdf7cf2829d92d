import type { JsonObject } from "../../domain/values/json.ts";
import { endOfString } from "../drafting/json-reply.ts";

/**
 * Every outermost JSON object amid a program's talk, which may hold code, diffs and anything else with braces: what
 * is not an object is skipped. For claims only; a verdict is read by `findJson`, which trusts nothing beside damage.
 */
export function objectsInTalk(text: string): readonly JsonObject[] {
  const found: JsonObject[] = [];
  let from = text.indexOf("{");
  while (from >= 0) {
    const end = endOfObject(text, from);
    const object = end === undefined ? undefined : parseObject(text.slice(from, end));
    if (object !== undefined) found.push(object);
    from = text.indexOf("{", object === undefined || end === undefined ? from + 1 : end);
  }
  return found;
}

/** Keeps the search for a closing brace short when none comes. */
const deepest = 100;

function endOfObject(text: string, start: number): number | undefined {
  const mark = /["{}]/gu;
  mark.lastIndex = start;
  let depth = 0;
  while (mark.test(text) && depth <= deepest) {
    const at = mark.lastIndex - 1;
    if (text[at] === '"') {
      const end = endOfString(text, at);
      if (end === undefined) return undefined;
      mark.lastIndex = end;
    } else {
      depth += text[at] === "{" ? 1 : -1;
      if (depth === 0) return mark.lastIndex;
    }
  }
  return undefined;
}

function parseObject(source: string): JsonObject | undefined {
  try {
    return JSON.parse(source) as JsonObject;
  } catch {
    return undefined;
  }
}
