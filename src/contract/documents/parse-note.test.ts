import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseFrontMatter } from "./front-matter.ts";
import { parseNote } from "./parse-note.ts";

describe("a note", () => {
  const text = [
    "\uFEFF---",
    "description:  What the   shop takes back",
    "type: claim",
    "---",
    "Since 1990.",
    "",
    "# Returns *are* taken ##",
    "",
    "See [prices](./price%20list.md#net 'net') and ![logo](<img/our logo.png>); `[no](code.md)`.",
    "",
    "| what | where |",
    "|---|---|",
    "| [shoes](shoes\\(1\\).md) | shop |",
    "",
    "## Costs",
    "",
    "[terms]: ../terms.md",
  ].join("\n");
  const parts = parseNote(text);

  it("has its title as written, its description folded and its headings with lines", () => {
    expect(parts.title).toBe("Returns *are* taken");
    expect(parts.description).toBe("What the shop takes back");
    expect(parts.headings).toEqual([{ depth: 2, text: "Costs", line: 15 }]);
    expect(parts.prose[0]).toEqual({ text: "Since 1990.", line: 5 });
  });

  it("has every link with the exact place of its destination, and none from code", () => {
    expect(
      parts.links.map(({ kind, start, end, line }) => [kind, text.slice(start, end), line]),
    ).toEqual([
      ["link", "./price%20list.md#net", 9],
      ["image", "img/our logo.png", 9],
      ["link", "shoes\\(1\\).md", 13],
      ["definition", "../terms.md", 17],
    ]);
  });

  it("without a first heading has no title, and one in a quotation or in code is none", () => {
    expect(parseNote("> # Quoted\n\n```\n# Code\n```\n\n## Second\n").title).toBeUndefined();
  });

  it.each([
    ["lists nested without end", "- ".repeat(20_000)],
    ["quotations nested without end", ">".repeat(20_000)],
    [
      "code marks of every length",
      Array.from({ length: 400 }, (_, at) => "`".repeat(at + 1)).join(" "),
    ],
  ])("with %s is kept as it is and says why", (_, hostile) => {
    const read = parseNote(`---\ntype: claim\n---\n${hostile}`);
    expect(read.unreadable).toEqual(expect.any(String));
    expect(read.body).toBe(hostile);
    expect(read.frontMatter.kind).toBe("read");
  });

  it("with a line across the page or much emphasis is read as ever", () => {
    expect(parseNote(`${"-".repeat(300)}\n\n# Prices\n\n${"**a** ".repeat(500)}\n`).title).toBe(
      "Prices",
    );
  });

  it("can be any text at all", () => {
    const piece = fc.constantFrom(
      "---\n",
      "# ",
      "[a](",
      ")",
      "```\n",
      "> ",
      "- ",
      "\n",
      "|",
      "<!--",
      "a: b\n",
      "\u0000",
      "*",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece).map((pieces) => pieces.join("")),
        ),
        (any) => {
          const read = parseNote(any);
          for (const link of read.links) {
            expect(link.end).toBeLessThanOrEqual(any.length);
            expect(link.start).toBeLessThanOrEqual(link.end);
          }
        },
      ),
    );
  });
});

describe("front matter", () => {
  it.each([
    ["absent", "# Prices\n", { kind: "none" }],
    ["empty", "---\n---\n# Prices\n", { kind: "read", values: {} }],
    [
      "with Windows line ends",
      "---\r\ntype: claim\r\n---\r\n",
      { kind: "read", values: { type: "claim" } },
    ],
    ["a line across the page", "---\n\nJust a rule.\n", { kind: "none" }],
    [
      "with a date and a number",
      "---\nday: 2026-01-01\nn: .inf\n---\n",
      { kind: "read", values: { day: "2026-01-01", n: "Infinity" } },
    ],
  ])("%s", (_, text, expected) => {
    expect(parseFrontMatter(text)).toEqual(expected);
  });

  it.each([
    ["that is not YAML", "---\ntype: claim\ntraits: [a\n---\n"],
    ["that names a key twice", "---\ntype: claim\ntype: note\n---\n"],
    ["that is a list", "---\n- claim\n---\n"],
    ["that is never closed", "---\ntype: claim\n# Prices\n"],
    [
      "that grows without end",
      `---\na: &a [x,x,x,x,x,x,x,x,x]\n${"bcdefghi"
        .split("")
        .map((name, at) => `${name}: &${name} [${Array(9).fill(`*${"abcdefgh"[at]}`).join(",")}]`)
        .join("\n")}\n---\n`,
    ],
  ])("%s is malformed, with a line", (_, text) => {
    expect(parseFrontMatter(text)).toMatchObject({ kind: "malformed", line: expect.any(Number) });
  });

  it("says the line of the mistake in the file", () => {
    expect(parseFrontMatter("---\ntype: claim\ntype: note\n---\n")).toMatchObject({ line: 3 });
  });
});
