export interface FoundObject {
  readonly source: string;
  readonly value: { readonly [name: string]: unknown };
}

/** Every outermost JSON object of a reply, with or without prose and fences around it. */
export function findObjects(text: string): readonly FoundObject[] {
  const found: FoundObject[] = [];
  let from = text.indexOf("{");
  while (from >= 0) {
    const end = endOfObject(text, from);
    const object = end === undefined ? undefined : parseObject(text.slice(from, end));
    if (object !== undefined) {
      found.push(object);
    }
    from = text.indexOf("{", object === undefined || end === undefined ? from + 1 : end);
  }
  return found;
}

/** Names that the outermost object gives more than once; `JSON.parse` would silently keep the last. */
export function repeatedKeys(source: string): readonly string[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  let depth = 0;
  for (const match of source.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|[[\]{}]/gs)) {
    const [token, text, colon] = match;
    if (text === undefined) {
      depth += token === "{" || token === "[" ? 1 : -1;
    } else if (depth === 1 && colon !== undefined) {
      const name = JSON.parse(text) as string;
      if (seen.has(name)) {
        repeated.add(name);
      }
      seen.add(name);
    }
  }
  return [...repeated];
}

/** Keeps the search for a closing brace short when none comes. */
const MAX_DEPTH = 100;

function endOfObject(text: string, start: number): number | undefined {
  const token = /"(?:[^"\\]|\\.)*"|[{}]/gsy;
  const any = /[^"{}]+/gy;
  let depth = 0;
  let at = start;
  while (at < text.length) {
    any.lastIndex = at;
    at = any.exec(text) === null ? at : any.lastIndex;
    token.lastIndex = at;
    const match = token.exec(text);
    if (match === null) {
      return undefined;
    }
    at = token.lastIndex;
    depth += match[0] === "{" ? 1 : match[0] === "}" ? -1 : 0;
    if (depth === 0) {
      return at;
    }
    if (depth > MAX_DEPTH) {
      return undefined;
    }
  }
  return undefined;
}

function parseObject(source: string): FoundObject | undefined {
  try {
    return { source, value: JSON.parse(source) as FoundObject["value"] };
  } catch {
    return undefined;
  }
}
