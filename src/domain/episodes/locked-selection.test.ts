import { expect, test } from "vitest";
import {
  canonicalExtension,
  isSameSelection,
  lockedText,
  type Selection,
  selects,
} from "./locked-selection.ts";

const slug: Selection = { assetId: "slug", format: "markdown", text: "slow-bread\n" };
const words = (_format: string, text: string): string => text.replace(/<[^>]+>|[*#]/g, "").trim();

test("a selected slug is the same text whatever the formats are", () => {
  const isSelected = (format: "markdown" | "plain" | "html", content: string) =>
    selects(slug, { format, content }, words);
  expect(isSelected("markdown", "slow-bread  \n\n")).toBe(true);
  expect(isSelected("plain", "slow-bread")).toBe(true);
  expect(isSelected("html", "<p>slow-bread</p>\n")).toBe(true);
  expect(isSelected("markdown", "*slow-bread*")).toBe(false);
  expect(isSelected("plain", "fast-bread")).toBe(false);
});

test("a locked text is given to the writer in the format it writes", () => {
  expect(lockedText(slug, "markdown", words)).toBe("slow-bread");
  expect(lockedText({ ...slug, text: "*slow-bread*\n" }, "plain", words)).toBe("slow-bread");
});

test("a list is the same text in html, which has other line breaks", () => {
  const selection: Selection = { ...slug, format: "html", text: "Links\n\nShelf\n\nLadder\n" };
  expect(selects(selection, { format: "markdown", content: "Links\nShelf\nLadder" }, words)).toBe(
    true,
  );
  expect(selects(selection, { format: "markdown", content: "Links\nShelf" }, words)).toBe(false);
});

test("between formats, space around the words does not count, and space between them does", () => {
  const selection: Selection = { ...slug, text: "slow bread" };
  const isSelected = (content: string) =>
    selects(selection, { format: "plain", content }, (_format, text) => text);
  expect(isSelected("\n slow  bread\n")).toBe(true);
  expect(isSelected("slowbread")).toBe(false);
});

test("a locked text is given in the format that is written", () => {
  const marked: Selection = { ...slug, text: "*slow-bread*\n" };
  expect(lockedText(marked, "plain", words)).toBe("slow-bread");
  expect(lockedText(marked, "markdown", words)).toBe("*slow-bread*");
});

test("a selection is the same one only in the same words and format", () => {
  expect(isSameSelection({ ...slug, text: "slow-bread" }, slug)).toBe(true);
  expect(isSameSelection({ ...slug, text: "fast-bread" }, slug)).toBe(false);
  expect(isSameSelection({ ...slug, format: "plain" }, slug)).toBe(false);
  expect(isSameSelection(slug, undefined)).toBe(false);
});

test("the selected candidate's format says which file counts, else markdown before text before html", () => {
  expect(canonicalExtension(["html", "md", "txt"], "plain")).toBe("txt");
  expect(canonicalExtension(["html", "txt"], undefined)).toBe("txt");
  expect(canonicalExtension(["html"], "plain")).toBe("html");
  expect(canonicalExtension([], "plain")).toBeUndefined();
});
