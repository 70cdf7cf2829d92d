import type { NoteLink } from "../relocation/note-link.ts";
import type { Json } from "../values/json.ts";

/** Front matter is never guessed: a block that cannot be read is `malformed`, not empty. */
export type FrontMatter =
  | { readonly kind: "none" }
  | { readonly kind: "read"; readonly values: { readonly [key: string]: Json } }
  | { readonly kind: "malformed"; readonly message: string; readonly line: number };

export interface Heading {
  readonly depth: number;
  readonly text: string;
  readonly line: number;
}

/** Running text: a paragraph, list item or table cell, without code. */
export interface ProseBlock {
  readonly text: string;
  readonly line: number;
}

/**
 * A note taken apart. `title` and `body` are folded: two notes that differ in white space alone have equal parts,
 * except inside code, where white space is content.
 */
export interface NoteParts {
  readonly frontMatter: FrontMatter;
  /** Why the text was not taken apart as markdown; then `body` is the text as it is, and links are not known. */
  readonly unreadable?: string;
  readonly title?: string;
  readonly description?: string;
  readonly body: string;
  readonly links: readonly NoteLink[];
  readonly headings: readonly Heading[];
  readonly prose: readonly ProseBlock[];
}

/** A part of a note that a gate may watch. */
export type WatchedPart = "body" | "title" | "description" | "links" | `frontmatter.${string}`;

export const defaultWatches: readonly WatchedPart[] = ["body", "title", "description"];

export function isWatchedPart(name: string): name is WatchedPart {
  return (
    name === "body" ||
    name === "title" ||
    name === "description" ||
    name === "links" ||
    (name.startsWith("frontmatter.") && name.length > "frontmatter.".length)
  );
}

export function frontMatterValue(
  parts: Pick<NoteParts, "frontMatter">,
  key: string,
): Json | undefined {
  const { frontMatter } = parts;
  if (frontMatter.kind !== "read" || !Object.hasOwn(frontMatter.values, key)) return undefined;
  return frontMatter.values[key];
}

/**
 * White space outside code carries no meaning for a review. U+FEFF has no width: between two words it makes them one, so
 * it is no white space here.
 */
export function foldWhiteSpace(text: string): string {
  return text.replace(/[^\S\uFEFF]+/g, " ").trim();
}
