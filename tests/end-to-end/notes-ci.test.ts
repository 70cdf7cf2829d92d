import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { atTerminal, keys } from "../support/at-terminal.ts";
import { diagnosticSchema, sarifSchema } from "../support/ci-schemas.ts";
import { NotesRepository } from "../support/notes-repository.ts";

let shop: NotesRepository;
const byScript = ["--script", "reviews.json"];
const saltText = "The jars are new.\n\nSALT is\nkept here. It stays dry.";
const loud = [
  "### Summary\n\nIt shouts.\n\n### Findings\n",
  "- fail: shouts, 100% of it (line 2)\n  > SALT is **kept**",
  "- warn: dull\n  > stays dry\n",
  "## Result {{code}}: FAIL",
].join("\n");

beforeEach(async () => {
  shop = new NotesRepository();
  shop.note("hours", "We open at eight.");
  shop.note("salt", saltText);
  shop.gate("prose/calm", "Fail what shouts.", "description: Notes that shout");
  shop.write("signoff.yaml", "version: 1\nnotes: { findings: true }\n");
  shop.write(".gitignore", ".signoff/\nreviews.json\n");
  shop.commit();
  const reviews = {
    "notes/salt.md": { "prose/calm": loud },
    "notes/hours.md": { "prose/calm": "pass" },
  };
  shop.write("reviews.json", JSON.stringify({ reviews }));
  await shop.notes("review", ...byScript);
});
afterEach(() => shop.remove());

const forgetStore = () => rmSync(join(shop.root, ".signoff"), { recursive: true });
const sarif = async () =>
  JSON.parse((await shop.notes("check", ...byScript, "--format", "sarif")).out);
const resultsOf = (log: Awaited<ReturnType<typeof sarif>>) =>
  log.runs[0].results.map(
    (one: {
      ruleId: string;
      level: string;
      message: { text: string };
      locations: { physicalLocation: { region: { startLine: number } } }[];
    }) => [
      one.ruleId,
      one.level,
      one.locations[0]?.physicalLocation.region.startLine,
      one.message.text.split("\n")[0],
    ],
  );

const expected = [
  ["prose/calm", "error", 9, "prose/calm: shouts, 100% of it (line 2)"],
  ["prose/calm", "warning", 10, "prose/calm: dull"],
];

describe("findings in CI", () => {
  it("have the paths of the repository, where the project is one of its folders", async () => {
    shop.write("docs/reviews.json", shop.read("reviews.json"));
    for (const name of ["notes", "signoff", "signoff.yaml", "signoff.lock"]) {
      cpSync(join(shop.root, name), join(shop.root, "docs", name), { recursive: true });
      rmSync(join(shop.root, name), { recursive: true });
    }
    const { out } = await shop.notesIn("docs", "check", ...byScript, "--format", "github");
    expect(out).toContain("::error file=docs/notes/salt.md,");
    const warns = await shop.notesIn("docs", "warns", "--format", "rdjsonl");
    expect(warns.out).toContain('"path":"docs/notes/salt.md"');
    const text = await shop.notesIn("docs", "check", ...byScript);
    expect(text.out).toContain("error   notes/salt.md:");
  });

  it("have gate, line and words, also in a clone that has no store", async () => {
    const before = await sarif();
    expect(resultsOf(before)).toEqual(expected);
    const validate = new Ajv({ strict: false, unicodeRegExp: true }).compile(sarifSchema);
    expect(validate(before), JSON.stringify(validate.errors)).toBe(true);
    forgetStore();
    expect(await sarif()).toEqual(before);
    expect((await shop.notes("warns")).out).toContain("shouts, 100% of it");
    rmSync(join(shop.root, "signoff.findings.jsonl"));
    expect(resultsOf(await sarif()).map(([, level]: string[]) => level)).toEqual([
      "error",
      "warning",
    ]);
  });

  it("keep their fingerprints when lines move, and are suppressed by a ruling made in a clone", async () => {
    const prints = async () =>
      (await sarif()).runs[0].results.map(
        (one: { partialFingerprints: object }) => one.partialFingerprints,
      );
    const before = await prints();
    forgetStore();
    const [first] = (await shop.json("warns")).notes[0].findings;
    expect((await shop.notes("dismiss", first.fingerprint, "--reason", "a label")).code).toBe(0);
    const { results } = (await sarif()).runs[0];
    expect(results[0].suppressions[0].justification).toBe("ada: a label");
    expect(results[1].suppressions).toBeUndefined();
    shop.note("salt", saltText, "status: current\nowner: ada");
    expect(resultsOf(await sarif()).map(([, , line]: [string, string, number]) => line)).toEqual([
      10, 11,
    ]);
    expect(await prints()).toEqual(before);
    expect(await shop.json("check", ...byScript)).toMatchObject({ passed: true, failing: 0 });
  });

  it("are annotations, cases and diagnostics, and each names the command that resolves it", async () => {
    const github = (await shop.notes("check", ...byScript, "--format", "github")).out
      .trimEnd()
      .split("\n");
    expect(github).toHaveLength(2);
    expect(github[0]).toMatch(
      /^::error file=notes\/salt\.md,line=9,title=prose\/calm%3A failing::/,
    );
    expect(github[0]).toContain("100%25 of it");
    const dismissal = /signoff (notes dismiss [0-9a-f]{10})$/.exec(github[0] ?? "")?.[1] ?? "";
    const refused = await shop.notes(...dismissal.split(" ").slice(1));
    expect(refused.code).toBe(2);
    expect(refused.err).toContain("--reason is missing");
    const asked = await atTerminal(dismissal.split(" "), { cwd: shop.root }, [
      { seen: "Why does this finding", press: ["a label", keys.enter] },
    ]);
    expect(asked.code, asked.screen).toBe(0);
    const xml = (await shop.notes("check", ...byScript, "--format", "junit")).out;
    expect(xml).toContain('<testsuites tests="2" failures="0">');
    const lines = (await shop.notes("warns", "--format", "rdjsonl")).out.trimEnd().split("\n");
    const validate = new Ajv({ strict: false }).compile(diagnosticSchema);
    for (const line of lines) expect(validate(JSON.parse(line))).toBe(true);
    expect(lines).toHaveLength(1);
  });

  it("name the review that a stale pair needs, as it can be typed", async () => {
    shop.note("hours", "We open at nine.");
    const [line] = (await shop.json("check", ...byScript)).findings;
    expect(line).toMatchObject({ rule: "note-changed", note: "notes/hours.md" });
    const command = line.mend.replace("Review it: signoff notes ", "").split(" ");
    expect((await shop.notes(...command)).out).toContain("took 1 run");
    expect((await shop.json("check", ...byScript)).stale).toBe(0);
  });
});

describe("a note that was moved with git mv", () => {
  it("is offered for adoption by check and status, with the command that works", async () => {
    shop.git("add", "--all");
    shop.commit();
    shop.git("mv", "notes/salt.md", "notes/table-salt.md");
    const { findings } = await shop.json("check", ...byScript);
    expect(findings[0]).toMatchObject({ rule: "moved", note: "notes/table-salt.md" });
    expect(findings[1].mend).toBe("Take its reviews along: signoff notes mv --adopt --apply");
    const status = (await shop.notes("status", ...byScript)).out;
    expect(status).toContain("notes/salt.md → notes/table-salt.md");
    expect(status).toContain("Next: signoff notes mv --adopt --apply");
    expect(status).not.toContain("signoff notes review");
    forgetStore();
    expect((await shop.json("check", ...byScript)).findings[0]).toMatchObject({ rule: "moved" });
    expect((await shop.notes("mv", "--adopt", "--apply")).code).toBe(0);
    const after = await shop.json("check", ...byScript);
    expect(after).toMatchObject({ stale: 0, failing: 1 });
    expect(after.findings[0].message).toContain("shouts");
  });
});
