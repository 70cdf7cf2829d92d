import { canonicalJson } from "../values/canonical-json.ts";
import { traitsOf, typeOf } from "./applicability.ts";
import {
  foldWhiteSpace,
  frontMatterValue,
  type NoteParts,
  type WatchedPart,
} from "./note-parts.ts";

/** The first part that differs in a way that matters, or `undefined` when the change is trivial. */
export type ChangedPart = WatchedPart | "type" | "traits" | "unreadable-front-matter";

/**
 * True if nothing a gate watches and nothing that decides whether it applies has changed. Unreadable front matter
 * on either side is never trivial: its content is unknown.
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

/** The content of a watched part, as it is compared between versions. */
export function partOf(parts: NoteParts, part: WatchedPart): string | undefined {
  switch (part) {
    case "body":
      return parts.body;
    case "title":
      return parts.title;
    case "description":
      return parts.description;
    case "links":
      return JSON.stringify(
        parts.links.map(({ destination, text }) => [destination, foldWhiteSpace(text)]),
      );
    default: {
      const value = frontMatterValue(parts, part.slice("frontmatter.".length));
      return value === undefined ? undefined : canonicalJson(value);
    }
  }
}

function sameMembers(a: readonly string[], b: readonly string[]): boolean {
  const [left, right] = [new Set(a), new Set(b)];
  return left.size === right.size && [...left].every((member) => right.has(member));
}
