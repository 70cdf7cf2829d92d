import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NotesRepository } from "../support/notes-repository.ts";

let shop: NotesRepository;
beforeEach(() => {
  shop = new NotesRepository();
  shop.note("hours", "The shop opens at seven.");
  shop.note("salt", "Salt is kept dry.");
  shop.gate("prose/calm", "Fail what shouts.");
  shop.commit();
});
afterEach(() => shop.remove());

const byScript = ["--script", "reviews.json"];
const review = (salt: string) => {
  const reviews = { "notes/hours.md": "pass", "notes/salt.md": salt };
  const said = Object.entries(reviews).map(([note, text]) => [note, { "prose/calm": text }]);
  shop.write("reviews.json", JSON.stringify({ reviews: Object.fromEntries(said) }));
  return shop.json("review", ...byScript);
};
const forgetStore = () => rmSync(join(shop.root, ".signoff"), { recursive: true });

const withoutDigests = (lock: string) =>
  lock.replaceAll(/^((?:[^\t\n]*\t){7}[^\t\n]*)\t.*$/gm, "$1");

describe("a clone that has the lock and no store", () => {
  it("names the verdicts that are work, and whose findings it cannot know", async () => {
    await review("fail");
    forgetStore();
    const listed = await shop.notes("warns", "--json");
    expect(listed.code).toBe(1);
    expect(JSON.parse(listed.out).notes).toEqual([
      {
        note: "notes/salt.md",
        findings: [
          expect.objectContaining({
            gate: "prose/calm",
            severity: "fail",
            message: expect.stringContaining("in the store where it was made"),
          }),
        ],
      },
    ]);
    await review("pass");
    expect((await shop.json("warns")).notes[0].findings[0].message).toContain("in the store");
    shop.note("salt", "Salt is KEPT dry.");
    expect((await shop.json("warns")).notes[0].findings[0].outdated).toBe("note-changed");
    await review("pass");
    expect((await shop.notes("warns")).code).toBe(0);
  });

  it("tells a trivial change by the digests, and without them only from the accepted text", async () => {
    shop.note("salt", "Salt is kept in jars.");
    await review("pass");
    shop.note("salt", "Salt is kept in jars.", "status: archived");
    expect((await shop.json("status", ...byScript)).trivial).toBe(1);
    forgetStore();
    expect(await shop.json("status", ...byScript)).toMatchObject({ trivial: 1, stale: [] });
    shop.write("signoff.lock", withoutDigests(shop.read("signoff.lock")));
    expect(await shop.json("status", ...byScript)).toMatchObject({
      trivial: 0,
      counts: { "note-changed": 1 },
    });
  });
});

describe("what cannot be reviewed", () => {
  it("is named by status, plan and review, with the reason", async () => {
    shop.note("long", "One more word. ".repeat(20_000));
    writeFileSync(join(shop.root, "notes/latin.md"), Buffer.from("caf\xe9", "latin1"));
    shop.write("notes/broken.md", "---\ntags: [a\n---\n# Broken\n");
    const reported = (texts: string): void => {
      expect(texts).toContain("notes/latin.md: the file is not-utf-8");
      expect(texts).toMatch(/notes\/long\.md: too large for one\s+call/);
      expect(texts).toMatch(/notes\/broken\.md: line \d+: the\s+front\s+matter\s+is\s+not\s+valid/);
    };
    reported((await shop.notes("status", "--model", "offline/rules")).out);
    reported((await shop.notes("review", "--plan")).out);
    reported((await shop.notes("review")).out);
    const wide = (await shop.notes("review", "--plan", "--model", "openai/gpt-4.1")).out;
    expect(wide).toContain("bundle notes/long.md: prose/calm");
    expect(wide).not.toContain("too large");
  });
});

it("text of a reviewer reaches no terminal as it is, not in JSON either", async () => {
  const hidden = "\u009b31m\u202e\u200b";
  await review(`### Findings\n\n- warn: loud${hidden}words\n\n## Result: WARN`);
  const listed = (await shop.notes("warns", "--json")).out;
  expect(listed).toContain("\\u009b31m\\u202e\\u200b");
  expect(listed).not.toContain("\u202e");
});

it("a run in the list is known by its notes and gates", async () => {
  await review("pass");
  const titles = async (...more: string[]) => {
    const { out } = await shop.run(["runs", "list", "--json", ...more]);
    return JSON.parse(out)
      .runs.map(({ title }: { title: string }) => title)
      .sort();
  };
  const sweep = "2 notes × 1 gate";
  expect(await titles()).toEqual([sweep]);
  const parts = ["notes/hours.md: prose/calm", "notes/salt.md: prose/calm"];
  expect(await titles("--all")).toEqual([sweep, ...parts].sort());
});
