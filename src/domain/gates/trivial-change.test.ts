import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseNote } from "../../contract/documents/parse-note.ts";
import type { WatchedPart } from "./note-parts.ts";
import { findChangedPart, isTrivialChange } from "./trivial-change.ts";

const note = `---
description: What the shop takes back
type: claim
traits: [title-as-claim, has-sources]
tags: [shop, returns]
status: current
---
# Returns are taken for thirty days

See [prices](prices.md) before you pay.

- with a receipt
- unworn

\`\`\`yaml
days: 30
  nested: yes
\`\`\`
`;
const trivial = (after: string, ...watched: WatchedPart[]) =>
  isTrivialChange(parseNote(note), parseNote(after), watched);
const everything: WatchedPart[] = [
  "body",
  "title",
  "description",
  "links",
  "frontmatter.tags",
  "frontmatter.status",
];

it("takes a link whose text is wrapped otherwise for the same", () => {
  const wrapped = (space: string) => parseNote(`# T\n\nSee [the${space}prices](prices.md).\n`);
  expect(isTrivialChange(wrapped(" "), wrapped("\n"), ["links"])).toBe(true);
  expect(isTrivialChange(wrapped(" "), wrapped("\r\n"), ["links"])).toBe(true);
});

describe("what a gate does not watch may change", () => {
  it.each<[string, string, WatchedPart[], boolean]>([
    ["tags, watching the body", note.replace("[shop, returns]", "[shop]"), ["body"], true],
    ["tags, watching tags", note.replace("[shop, returns]", "[shop]"), ["frontmatter.tags"], false],
    [
      "order of tags, watching tags",
      note.replace("[shop, returns]", "[returns, shop]"),
      ["frontmatter.tags"],
      false,
    ],
    [
      "status, watching title and description",
      note.replace("current", "outdated"),
      ["title", "description"],
      true,
    ],
    [
      "body, watching the body",
      note.replace("thirty", "30").replace("unworn", "unused"),
      ["body"],
      false,
    ],
    ["body, watching the title", note.replace("unworn", "unused"), ["title"], true],
    ["title, watching the title", note.replace("thirty", "forty"), ["title"], false],
    ["title, watching the body", note.replace("thirty", "forty"), ["body"], true],
    ["emphasis in the title", note.replace("thirty", "*thirty*"), ["title"], false],
    [
      "description, watching it",
      note.replace("takes back", "accepts"),
      ["title", "description"],
      false,
    ],
    ["a link, watching links", note.replace("prices.md", "costs.md"), ["links"], false],
    ["text before the title", note.replace("# Returns", "New!\n\n# Returns"), ["body"], false],
    [
      "a title moved to the end",
      `${note.replace(/# Returns.*\n/, "")}\n# Returns are taken for thirty days\n`,
      ["body", "title"],
      false,
    ],
    [
      "front matter taken away, body watched",
      note.replace(/---[\s\S]*?---\n/, ""),
      ["body"],
      false,
    ],
  ])("%s", (_, after, watched, expected) => {
    expect(trivial(after, ...watched)).toBe(expected);
  });

  it("but never what decides whether the gate applies", () => {
    expect(trivial(note.replace("type: claim", "type: definition"), "title")).toBe(false);
    expect(trivial(note.replace("has-sources", "has-code"), "title")).toBe(false);
    expect(
      trivial(
        note.replace("[title-as-claim, has-sources]", "[has-sources, title-as-claim]"),
        "title",
      ),
    ).toBe(true);
  });

  it("and never when front matter cannot be read", () => {
    const broken = note.replace("type: claim", "type: [claim");
    expect(findChangedPart(parseNote(note), parseNote(broken), ["title"])).toBe(
      "unreadable-front-matter",
    );
    expect(isTrivialChange(parseNote(broken), parseNote(broken), ["title"])).toBe(false);
  });
});

describe("white space and key order are trivial for every watch set", () => {
  it.each([
    ["line ends", note.replaceAll("\n", "\r\n")],
    ["a byte order mark", `\uFEFF${note}`],
    ["trailing blanks", note.replace("unworn\n", "unworn   \n")],
    ["blank lines", note.replace("pay.\n", "pay.\n\n\n")],
    ["a rewrapped paragraph", note.replace("before you", "before\nyou")],
    ["a missing last line end", note.trimEnd()],
    ["blanks in the title", note.replace("# Returns are", "#  Returns  are")],
    [
      "order of keys",
      note.replace("status: current\n", "").replace("type:", "status: current\ntype:"),
    ],
    ["quotes in front matter", note.replace("type: claim", 'type: "claim"')],
    ["the same text", note],
  ])("%s", (_, after) => {
    expect(trivial(after, ...everything)).toBe(true);
  });

  it.each([
    ["inside code it is content", note.replace("  nested", "    nested")],
    ["a list item that becomes text", note.replace("\n- unworn", " - unworn")],
    ["a paragraph that becomes code", note.replace("See [prices]", "    See [prices]")],
    ["two words joined by a mark without width", note.replace("before you", "before\uFEFFyou")],
  ])("but %s", (_, after) => {
    expect(trivial(after, "body")).toBe(false);
  });
});

it("is trivial exactly when no watched part differs, whatever is watched", () => {
  const variants = [
    note,
    note.replace("unworn", "unused"),
    note.replace("thirty", "forty"),
    note.replace("takes back", "accepts"),
    note.replace("[shop, returns]", "[shop]"),
  ].map(parseNote);
  const differs: WatchedPart[] = ["body", "body", "title", "description", "frontmatter.tags"];
  const watchSet = fc.subarray<WatchedPart>(["body", "title", "description", "frontmatter.tags"]);
  fc.assert(
    fc.property(fc.nat(4), watchSet, (index, watched) => {
      const expected = index === 0 || !watched.includes(differs[index]!);
      expect(isTrivialChange(variants[0]!, variants[index]!, watched)).toBe(expected);
      expect(isTrivialChange(variants[index]!, variants[0]!, watched)).toBe(expected);
    }),
  );
});
