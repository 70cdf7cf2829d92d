import { describe, expect, it } from "vitest";
import { isExcluded, isNotePath } from "./notes-settings.ts";

describe("excluded notes", () => {
  it.each([
    ["notes/drafts/a.md", ["notes/drafts"], true],
    ["notes/drafts-old/a.md", ["notes/drafts"], false],
    ["notes/deep/inner/index.md", ["**/index.md"], true],
    ["notes/index.md", ["notes/*.md"], true],
    ["notes/deep/a.md", ["notes/*.md"], false],
    ["notes/a.draft.md", ["notes/*.draft.*"], true],
    ["notes/ab-ab.md", ["notes/*ab*ab*"], true],
    ["notes/ab.md", ["notes/*ab*ab*"], false],
    ["notes/a.md", ["notes/**"], true],
    ["notes/a.md", [], false],
  ])("%s with %j: %s", (path, patterns, expected) => {
    expect(isExcluded(path, patterns)).toBe(expected);
  });
});

describe("the path of a note", () => {
  const settings = { roots: ["notes", "guides"], exclude: ["**/old.md"], gates: "notes/gates" };
  it.each([
    ["notes/a.md", true],
    ["guides/deep/a.md", true],
    ["notes-2/a.md", false],
    ["notes/old.md", false],
    ["notes/gates/calm.md", false],
    ["notes/gates-of-rome.md", true],
  ])("%s: %s", (path, expected) => {
    expect(isNotePath(settings, path)).toBe(expected);
  });
});
