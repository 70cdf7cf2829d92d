/** Where a link leads, seen from the note that holds it. Paths are relative to the root, with `/`. */
export type LinkTarget =
  | { readonly kind: "path"; readonly path: string; readonly suffix: string }
  | { readonly kind: "external" }
  | { readonly kind: "same-note" }
  | { readonly kind: "outside-root" };

const scheme = /^[a-zA-Z][a-zA-Z0-9+.-]*:/;

/** Resolves a destination as written; `/x.md` is taken from the root. Never leaves the root. */
export function resolveLink(fromPath: string, destination: string): LinkTarget {
  if (scheme.test(destination) || destination.startsWith("//")) return { kind: "external" };
  const cut = destination.search(/[#?]/);
  const written = cut === -1 ? destination : destination.slice(0, cut);
  const suffix = cut === -1 ? "" : destination.slice(cut);
  if (written === "") return { kind: "same-note" };
  const decoded = decodeDestination(written);
  const start = decoded.startsWith("/") ? [] : folderOf(fromPath).split("/");
  const path = joinSegments(start, decoded.split("/"));
  return path === undefined ? { kind: "outside-root" } : { kind: "path", path, suffix };
}

function folderOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash === -1 ? "" : path.slice(0, slash);
}

/** The shortest relative path from a note's folder to a target. */
export function relativePath(fromPath: string, toPath: string): string {
  const from = folderOf(fromPath)
    .split("/")
    .filter((part) => part !== "");
  const to = toPath.split("/");
  let same = 0;
  while (same < from.length && same < to.length - 1 && from[same] === to[same]) same += 1;
  return [...from.slice(same).map(() => ".."), ...to.slice(same)].join("/");
}

function joinSegments(start: readonly string[], added: readonly string[]): string | undefined {
  const path = start.filter((part) => part !== "");
  for (const part of added) {
    if (part === "..") {
      if (path.length === 0) return undefined;
      path.pop();
    } else if (part !== "." && part !== "") path.push(part);
  }
  return path.join("/");
}

/** Markdown escapes and percent signs; what cannot be decoded is taken literally. */
function decodeDestination(written: string): string {
  const unescaped = written.replace(/\\([!-/:-@[-`{-~])/g, "$1");
  try {
    return decodeURIComponent(unescaped);
  } catch {
    return unescaped;
  }
}

/** The opposite: a destination that markdown and `resolveLink` read as exactly this path. */
export function encodeDestination(path: string, inAngleBrackets: boolean): string {
  const unsafe = inAngleBrackets ? /[<>%#?\\&\p{Cc}]/gu : /[\s<>()%#?\\&\p{Cc}]/gu;
  const encoded = path.replace(unsafe, percentEncode);
  return scheme.test(encoded) ? `./${encoded}` : encoded;
}

function percentEncode(character: string): string {
  return encodeURIComponent(character) === character
    ? `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`
    : encodeURIComponent(character);
}
