import type { Json } from "../values/json.ts";
import { traitsOf, typeOf } from "./applicability.ts";
import { frontMatterValue, type NoteParts, type WatchedPart } from "./note-parts.ts";

/** The first part that differs in a way that matters, or `undefined` when the change is trivial. */
export type ChangedPart = WatchedPart | "type" | "traits" | "unreadable-front-matter";

/**
 * True if nothing a gate watches and nothing that decides whether it applies has changed. Unreadable front matter
 * on either side is never trivial: nobody knows what it said.
 */
export function isTrivialChange(
  before: NoteParts,
  after: NoteParts,
  watched: Iterable<WatchedPart>,
): boolean {
  return findChangedPart(before, after, watched) === undefined;
}

/** Why a change is not trivial. */
export function findChangedPart(
  before: NoteParts,
  after: NoteParts,
  watched: Iterable<WatchedPart>,
): ChangedPart | undefined {
  if (before.frontMatter.kind === "malformed" || after.frontMatter.kind === "malformed")
    return "unreadable-front-matter";
  if (typeOf(before) !== typeOf(after)) return "type";
  if (!sameMembers(traitsOf(before), traitsOf(after))) return "traits";
  for (const part of watched) if (partOf(before, part) !== partOf(after, part)) return part;
  return undefined;
}

function partOf(parts: NoteParts, part: WatchedPart): string | undefined {
  switch (part) {
    case "body":
      return parts.body;
    case "title":
      return parts.title;
    case "description":
      return parts.description;
    case "links":
      return JSON.stringify(parts.links.map((link) => [link.destination, link.text]));
    default: {
      const value = frontMatterValue(parts, part.slice("frontmatter.".length));
      return value === undefined ? undefined : orderedJson(value);
    }
  }
}

/** The order of keys is not content, the order of a list is. */
function orderedJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(orderedJson).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const entries = Object.entries(value as { readonly [name: string]: Json });
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, item]) => `${JSON.stringify(name)}:${orderedJson(item)}`).join(",")}}`;
}

function sameMembers(a: readonly string[], b: readonly string[]): boolean {
  const [left, right] = [new Set(a), new Set(b)];
  return left.size === right.size && [...left].every((member) => right.has(member));
}
