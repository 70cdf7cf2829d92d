import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type Parsed, renderProblem } from "./file-problem.ts";
import { parseFrontMatter } from "./front-matter.ts";
import { checkShape, type ReadDocument, readJson, readYaml } from "./read-document.ts";

const shop = z.strictObject({
  name: z.string().min(1),
  open: z.boolean(),
  shelves: z.array(z.strictObject({ label: z.string(), books: z.int().max(200) })),
  size: z.enum(["small", "large"]).optional(),
});

function linesOf(parsed: Parsed<unknown>): readonly string[] {
  return parsed.kind === "problems" ? parsed.problems.map(renderProblem) : [];
}

function check(document: Parsed<ReadDocument>): readonly string[] {
  return document.kind === "problems"
    ? linesOf(document)
    : linesOf(checkShape(document.value, shop));
}

describe("a document", () => {
  it("has every problem reported at once, in plain words and with its place", () => {
    const text =
      "nam: Oak & Ink\nopen: yes please\nshelves:\n  - { label: 7, books: 300 }\nsize: huge\n";
    expect(check(readYaml({ file: "shop.yaml", text }))).toEqual([
      "shop.yaml:1:1: name: is missing",
      "shop.yaml:2:1: open: must be true or false",
      "shop.yaml:4:7: shelves[0].label: must be text",
      "shop.yaml:4:17: shelves[0].books: must be at most 200",
      "shop.yaml:5:1: size: must be small or large",
      "shop.yaml:1:1: nam: is not a known key (did you mean name?)",
    ]);
  });

  it("has the same places as JSON", () => {
    const text = '\uFEFF{\n  "name": "",\n  "open": true,\n  "shelves": {}\n}\n';
    const expected = ["shop:2:3: name: must not be empty", "shop:4:3: shelves: must be a list"];
    expect(check(readJson({ file: "shop", text }))).toEqual(expected);
    expect(check(readYaml({ file: "shop", text }))).toEqual(expected);
  });

  it("has the first hundred of thousands of faults in JSON located", () => {
    const shelves = Array.from({ length: 3_000 }, (_, at) => ({
      label: `shelf ${at}`,
      books: "many",
    }));
    const text = JSON.stringify({ name: "oak", open: true, shelves }, null, 1);
    const found = check(readJson({ file: "shop", text }));
    expect(found).toHaveLength(100);
    expect(found.at(-1)).toMatch(/^shop:403:4: shelves\[99\]\.books: /u);
  });

  it("has the first hundred of thousands of unknown keys explained", () => {
    const text = Array.from({ length: 20_000 }, (_, at) => `k${at}: 1\n`).join("");
    const before = process.cpuUsage().user;
    expect(check(readYaml({ file: "shop", text }))).toHaveLength(100);
    expect(process.cpuUsage().user - before).toBeLessThan(1_500_000);
  });

  it("is refused in words that are not the library's", () => {
    const lines = (text: string) => linesOf(readYaml({ file: "shop", text }));
    for (const open of ["[", '{"a":'])
      expect(lines(`a: ${open.repeat(30_000)}`)).toEqual([
        expect.stringMatching(/: is nested too deeply$/u),
      ]);
    expect(lines("a: 1\n---\nb: 2\n")).toEqual([
      "shop:2:1: must be one document, without a second one after ---",
    ]);
  });

  it("says where JSON is broken", () => {
    expect(
      check(readJson({ file: "shop.json", text: '{\n  "name": "oak"\n  "open": true\n}' }))[0],
    ).toMatch(/^shop\.json:3:3: is not JSON: /u);
  });

  it("has a line that counts from the file's beginning, not from the front matter's", () => {
    const read = readYaml({ file: "shop.md", text: "name: [", firstLine: 2 });
    expect(linesOf(read)[0]).toMatch(/^shop\.md:2:\d+: is not valid YAML: /u);
  });

  it("is refused with at most a hundred problems of its syntax", () => {
    const text = "name: a\n".repeat(5000);
    const lines = linesOf(readYaml({ file: "shop.yaml", text }));
    expect(lines).toHaveLength(100);
    expect(lines[0]).toBe("shop.yaml:2:1: is not valid YAML: the key name is not unique");
  });

  it("is refused when it is longer than its kind may be", () => {
    const lines = linesOf(
      readYaml({ file: "a", text: "a: 1\n".repeat(100_000), longest: 200_000 }),
    );
    expect(lines).toEqual(["a:1:1: has 500000 characters; at most 200000 are read"]);
  });

  it.each([
    ["marks", `${"? ".repeat(20_000)}a`],
    ["brackets", `a: ${"[".repeat(5_000)}`],
    ["an alias inside its value", "a: &a [*a]"],
  ])("is refused, not fatal, with too many or looping %s", (_, text) => {
    expect(readYaml({ file: "a", text }).kind).toBe("problems");
  });
});

it("front matter of 400,000 equal keys is refused unread", () => {
  expect(parseFrontMatter(`---\n${"a: [1]\n".repeat(400_000)}---\n`)).toMatchObject({
    kind: "malformed",
    message: expect.stringContaining("at most 100000"),
  });
});

describe("a document of millions of characters", () => {
  it("is refused before it is parsed", () => {
    const read = readYaml({ file: "pack.yaml", text: "a: 1\n".repeat(400_000) });
    expect(read).toMatchObject({
      kind: "problems",
      problems: [{ message: "has 2000000 characters; at most 1000000 are read" }],
    });
  });
});
