import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { messageWithHint } from "../documents/file-problem.ts";
import { parseRecipe, recipeAmong } from "./recipe.ts";

const sections = "## Writer\n\nWrite it.\n\n## Reviewer\n\nJudge it.\n";

function recipe(frontMatter: string, body = sections) {
  return parseRecipe(`---\n${frontMatter}\n---\n${body}`, "tagline.md");
}

function errorsOf(parsed: ReturnType<typeof parseRecipe>) {
  return parsed.kind === "problems"
    ? parsed.problems.map((each) => `${each.line ?? 1} ${each.path}: ${messageWithHint(each)}`)
    : [];
}

describe("the built-in recipes", () => {
  it("can all be read, with every check they name", () => {
    const folder = new URL("../../../recipes/", import.meta.url);
    const names = readdirSync(folder);
    expect(names).toHaveLength(21);
    for (const name of names) {
      const parsed = parseRecipe(readFileSync(new URL(name, folder), "utf8"), name);
      expect(errorsOf(parsed)).toEqual([]);
    }
  });
});

describe("the built-in recipe slogan", () => {
  it("is what the seed describes", () => {
    const text = readFileSync(new URL("../../../recipes/slogan.md", import.meta.url), "utf8");
    const parsed = parseRecipe(text, "recipes/slogan.md");
    expect(errorsOf(parsed)).toEqual([]);
    expect(parsed).toMatchObject({
      kind: "parsed",
      value: {
        id: "slogan",
        title: "Slogan",
        format: "plain",
        creatorReply: "plain",
        approval: "phrase",
        phrase: "SHIP IT",
        maxTurns: 5,
        maxCharacters: 500,
        checks: [
          { kind: "one_line", severity: "error" },
          { kind: "max_length", characters: 500, severity: "error" },
          { kind: "max_length", characters: 100, severity: "warning" },
        ],
        stopRules: ["early_stop", "oscillation"],
        stopOnNeedsHuman: false,
        creator: { temperature: 0.7, maxTokens: 100 },
        reviewer: { temperature: 0.3, maxTokens: 1000 },
        writerBrief: expect.stringMatching(/^You write slogans/u),
        reviewerBrief: expect.stringMatching(/^You judge slogans/u),
      },
    });
  });
});

describe("a recipe's panel", () => {
  const members =
    "## Reviewer: brand\n\nYou lead the brand.\n\n## Reviewer: legal\n\nYou are a lawyer.\n";
  const front = "id: claim\ntitle: Claim\n";

  it("has a section for each reviewer, who may have a model", () => {
    const list =
      "reviewers:\n  - brand\n  - { name: legal, model: anthropic/claude }\npanel: majority";
    expect(recipe(`${front}${list}`, `${sections}\n${members}`)).toMatchObject({
      kind: "parsed",
      value: {
        reviewerBrief: "Judge it.",
        panelRule: "majority",
        panel: [
          { name: "brand", brief: "You lead the brand." },
          { name: "legal", model: "anthropic/claude", brief: "You are a lawyer." },
        ],
      },
    });
  });

  it("needs every section, and no other", () => {
    expect(errorsOf(recipe(`${front}reviewers: [brand, tone]`, `${sections}\n${members}`))).toEqual(
      [
        '6 Reviewer: tone: the section "## Reviewer: tone" is missing',
        expect.stringContaining("18 Reviewer: legal: is not a known section"),
      ],
    );
    expect(errorsOf(recipe(front.trim(), `${sections}\n${members}`))).toHaveLength(2);
  });

  it("has at least two reviewers with names of their own", () => {
    const faults = (list: string) => errorsOf(recipe(`${front}reviewers: ${list}`)).join("\n");
    expect(faults("[legal]")).toContain("at least two");
    expect(faults("[legal, legal]")).toContain("names a reviewer twice");
    expect(faults("[legal, checks]")).toContain("reviews use for themselves");
    expect(faults("[legal, { name: brand, weight: 2 }]")).toContain("weight");
  });
});

describe("a recipe file", () => {
  it("has defaults for everything but its id and title", () => {
    expect(recipe("id: episode_title\ntitle: Title")).toEqual({
      kind: "parsed",
      value: {
        id: "episode_title",
        title: "Title",
        format: "markdown",
        creatorReply: "structured",
        approval: "structured",
        phrase: "SHIP IT",
        maxTurns: 5,
        maxCharacters: 100_000,
        checks: [],
        stopRules: [],
        stopOnNeedsHuman: false,
        creator: { temperature: 0.7, maxTokens: 4000 },
        reviewer: { temperature: 0.3, maxTokens: 4000 },
        writerBrief: "Write it.",
        reviewerBrief: "Judge it.",
      },
    });
  });

  it("may name a model per role and keep the other settings", () => {
    expect(recipe("id: a\ntitle: A\nwriter: { model: ollama/mistral }")).toMatchObject({
      value: { creator: { model: "ollama/mistral", temperature: 0.7 } },
    });
  });

  it("may come from Windows, with a byte order mark", () => {
    const text = `\ufeff---\r\nid: a\r\ntitle: A\r\n---\r\n${sections.replaceAll("\n", "\r\n")}`;
    expect(parseRecipe(text, "a.md")).toMatchObject({
      kind: "parsed",
      value: { writerBrief: "Write it." },
    });
  });

  it("keeps headings of code blocks and of deeper levels in the instructions", () => {
    const body = "## Writer\n\n### Tone\n\n```\n## Reviewer\n```\n\n## Reviewer\n\nJudge it.";
    expect(recipe("id: a\ntitle: A", body)).toMatchObject({
      value: { writerBrief: "### Tone\n\n```\n## Reviewer\n```", reviewerBrief: "Judge it." },
    });
  });

  it("reports everything that is wrong at once, with line, field and the nearest name", () => {
    const parsed = recipe(
      [
        "id: Bad Id",
        "titel: Tagline",
        "max_turns: 11",
        "writer:",
        "  temperatur: 0.5",
        "  max_tokens: many",
        "checks:",
        "  - { kind: one_line, severity: fatal }",
        "  - { kind: max_length, charcters: 5 }",
        "  - { kind: rhymes }",
        "stop_rules: [early_stop, boredom]",
      ].join("\n"),
      "## Writer\n\n## Reviwer\n\nJudge it.\n",
    );
    const errors = errorsOf(parsed);
    for (const expected of [
      /^2 id: must be lower-case words/u,
      /^\d+ title: is missing$/u,
      /^3 titel: is not a known key \(did you mean title\?\)$/u,
      /^4 max_turns: .*10/u,
      /^6 writer\.temperatur: is not a known key \(did you mean temperature\?\)$/u,
      /^7 writer\.max_tokens: .*number/u,
      /^9 checks\[0\]\.severity: /u,
      /^10 checks\[1\]\.charcters: is not a known key \(did you mean characters\?\)$/u,
      /^10 checks\[1\]\.characters: is missing$/u,
      /^11 checks\[2\]\.kind: /u,
      /^12 stop_rules\[1\]: /u,
      /^14 Writer: the section "## Writer" is empty$/u,
      /^14 Reviewer: the section "## Reviewer" is missing$/u,
      /^16 Reviwer: is not a known section \(did you mean Reviewer\?\)$/u,
    ]) {
      expect(errors).toContainEqual(expect.stringMatching(expected));
    }
    expect(errors).toHaveLength(14);
    expect(parsed).toMatchObject({
      problems: expect.arrayContaining([expect.objectContaining({ file: "tagline.md" })]),
    });
  });

  it("must have front matter that is closed and valid YAML", () => {
    expect(errorsOf(parseRecipe(sections, "a.md"))).toEqual([
      "1 : must begin with front matter between two lines of ---",
    ]);
    expect(errorsOf(parseRecipe("---\nid: a", "a.md"))[0]).toMatch(/no closing line/u);
    expect(errorsOf(recipe("id: a\ntitle: [A"))[0]).toMatch(/^\d /u);
    expect(errorsOf(recipe("id: a\nid: b\ntitle: A"))[0]).toMatch(/^3 .*unique/u);
    expect(errorsOf(recipe("- a list"))[0]).toMatch(/must be a mapping/u);
  });

  it("may not hold a section twice", () => {
    expect(errorsOf(recipe("id: a\ntitle: A", `${sections}\n## Writer\n\nAgain.`))).toEqual([
      '13 Writer: there is a second "## Writer"',
    ]);
  });

  it("refuses a phrase without a word", () => {
    expect(errorsOf(recipe('id: a\ntitle: A\nphrase: "!!!"'))).toEqual([
      "4 phrase: must hold a word",
    ]);
  });

  it.each([
    ["brackets without end", "a: ".concat("[".repeat(100_000))],
    [
      "aliases that multiply",
      `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c,*c]`,
    ],
    ["a key to the prototype", "__proto__: { polluted: 1 }\nconstructor: 1"],
    ["control characters", "id: \u0000\u0007\ntitle: \ud800"],
    ["a very long name", `${"k".repeat(10_000)}: 1`],
  ])("is refused, not fatal, when it holds %s", (_title, yaml) => {
    expect(recipe(yaml).kind).toBe("problems");
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it("is refused when it is larger than any recipe", () => {
    expect(errorsOf(parseRecipe(">".repeat(10_000_000), "a.md"))).toEqual([
      "1 : has more than 200000 characters",
    ]);
  });
});

describe("a fault in a recipe", () => {
  it("is explained in plain words, with the names that are known", () => {
    const faults = errorsOf(
      recipe("id: x\ntitle: X\nchecks:\n  - { kind: max_len, characters: 3 }"),
    );
    expect(faults).toEqual([
      expect.stringMatching(/^5 checks\[0\]\.kind: must be max_length, .* or opening_chapter$/u),
    ]);
  });
});

it.each([
  ["release-note", "Did you mean release_note?"],
  ["poem", "Known recipes: email, release_note."],
])("an unknown recipe, %s, is refused: %s", (id, hint) => {
  const known = [{ id: "email" }, { id: "release_note" }];
  expect(() => recipeAmong(known, id)).toThrow(expect.objectContaining({ hint }));
});
