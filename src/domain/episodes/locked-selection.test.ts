import { expect, test } from "vitest";
import {
  canonicalExtension,
  lockedSelectionIssue,
  lockedText,
  type Selection,
} from "./locked-selection.ts";

const slug: Selection = { assetId: "slug", format: "markdown", text: "slow-bread\n" };
const words = (_format: string, text: string): string => text.replace(/<[^>]+>|[*#]/g, "").trim();

test("a selected slug locks its text whatever the formats are", () => {
  const issueFor = (format: "markdown" | "plain" | "html", content: string) =>
    lockedSelectionIssue({ assetId: "slug", format, content }, slug, words)?.code;
  expect(issueFor("markdown", "slow-bread  \n\n")).toBeUndefined();
  expect(issueFor("plain", "slow-bread")).toBeUndefined();
  expect(issueFor("html", "<p>slow-bread</p>\n")).toBeUndefined();
  expect(issueFor("markdown", "*slow-bread*")).toBe("locked_selection");
  expect(issueFor("plain", "fast-bread")).toBe("locked_selection");
});

test("the objection is an error about the content and names the file", () => {
  expect(
    lockedSelectionIssue({ assetId: "slug", format: "plain", content: "x" }, slug, words),
  ).toMatchObject({
    severity: "error",
    field: "content",
    message: expect.stringContaining("copy/selected/slug.md"),
  });
});

test("only the four kinds are locked, and only once selected", () => {
  const description: Selection = { ...slug, assetId: "description" };
  expect(lockedText(description)).toBeUndefined();
  expect(
    lockedSelectionIssue(
      { assetId: "description", format: "plain", content: "x" },
      description,
      words,
    ),
  ).toBeUndefined();
  expect(
    lockedSelectionIssue({ assetId: "slug", format: "plain", content: "x" }, undefined, words),
  ).toBeUndefined();
  expect(
    ["slug", "title_detail", "title_seo", "subtitle_auphonic"].map((assetId) =>
      lockedText({ ...slug, assetId }),
    ),
  ).toEqual(Array(4).fill("slow-bread"));
});

test("the selected candidate's format says which file counts, else markdown before text before html", () => {
  expect(canonicalExtension(["html", "md", "txt"], "plain")).toBe("txt");
  expect(canonicalExtension(["html", "txt"], undefined)).toBe("txt");
  expect(canonicalExtension(["html"], "plain")).toBe("html");
  expect(canonicalExtension([], "plain")).toBeUndefined();
});
