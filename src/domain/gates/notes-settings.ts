import type { NotesPanel } from "./panel-vote.ts";

/** Where notes and gates are and who judges; nothing of it is hard-coded anywhere else. */
export interface NotesSettings {
  readonly roots: readonly string[];
  readonly exclude: readonly string[];
  readonly gates: string;
  /** Models that judge; each has its own partition. */
  readonly models: readonly string[];
  readonly lock: string;
  readonly exports: string;
  /** Whether findings are written beside the lock. */
  readonly findings: boolean;
  /** Whether verdicts of rule-based stand-ins count for `check`. */
  readonly allowOffline: boolean;
  readonly panels: { readonly [name: string]: NotesPanel };
  /** Spelling → the model it stands for. */
  readonly aliases: { readonly [spelling: string]: string };
}

/** Rule gates are judged by no model: their rows are filed under this name. */
export const rulePartition = "rule";

/** Whether a markdown file at this path is a note. */
export function isNotePath(
  { roots, exclude, gates }: Pick<NotesSettings, "roots" | "exclude" | "gates">,
  path: string,
): boolean {
  const isBelow = (folder: string): boolean => folder === "." || path.startsWith(`${folder}/`);
  return !path.startsWith(`${gates}/`) && roots.some(isBelow) && !isExcluded(path, exclude);
}

/** `*` stands for anything but a slash, `**` for anything; a pattern without either names a file or a folder. */
export function isExcluded(path: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => {
    const bare = pattern.replace(/^\.?\/|\/$/g, "");
    if (!bare.includes("*")) return path === bare || path.startsWith(`${bare}/`);
    return matchesGlob(path.split("/"), bare.split("/"));
  });
}

function matchesGlob(path: readonly string[], pattern: readonly string[]): boolean {
  const [head, ...rest] = pattern;
  if (head === undefined) return path.length === 0;
  if (head === "**")
    return rest.length === 0 || path.some((_, at) => matchesGlob(path.slice(at), rest));
  const [name, ...below] = path;
  return name !== undefined && matchesSegment(name, head) && matchesGlob(below, rest);
}

/** Greedy from both ends, then the pieces in order: linear in the name. */
function matchesSegment(name: string, pattern: string): boolean {
  const pieces = pattern.split("*");
  const [first = "", last = ""] = [pieces[0], pieces.at(-1)];
  if (pieces.length === 1) return name === pattern;
  if (!name.startsWith(first) || !name.endsWith(last)) return false;
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = name.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return at <= name.length - last.length;
}
