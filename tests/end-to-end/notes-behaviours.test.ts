import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Connection } from "../../src/adapters/persistence/sqlite/connection.ts";
import { NotesRepository } from "../support/notes-repository.ts";

let shop: NotesRepository;
beforeEach(() => {
  shop = new NotesRepository();
  shop.note("hours", "The shop opens at seven.");
  shop.note("salt", "Salt is kept dry.");
  shop.gate("prose/plain", "Warn for long words.");
  shop.gate("prose/calm", "Fail what shouts.");
  shop.commit();
});
afterEach(() => shop.remove());

type Said = Readonly<Record<string, Readonly<Record<string, string>>>>;
const passes = { "prose/calm": "pass", "prose/plain": "pass" };
const script = (reviews: Said, more: Record<string, unknown> = {}): void =>
  shop.write("reviews.json", JSON.stringify({ reviews, ...more }));
const byScript = ["--script", "reviews.json"];
const loud = "### Summary\n\nIt shouts.\n\n### Suggested revision\n\nSay it.\n\n## Result: FAIL";
const reviewed = async (salt: string): Promise<void> => {
  script({ "notes/hours.md": passes, "notes/salt.md": { ...passes, "prose/calm": salt } });
  await shop.notes("review", ...byScript);
};
const work = async () =>
  (await shop.json("warns")).notes.flatMap((note: { findings: unknown[] }) => note.findings);

describe("stale pairs", () => {
  it("come by note and gate, whatever the order of files", async () => {
    const pairs = (await shop.json("status")).stale.map(({ note, gate, reason }: never) => [
      note,
      gate,
      reason,
    ]);
    expect(pairs).toEqual([
      ["notes/hours.md", "prose/calm", "missing-review"],
      ["notes/hours.md", "prose/plain", "missing-review"],
      ["notes/salt.md", "prose/calm", "missing-review"],
      ["notes/salt.md", "prose/plain", "missing-review"],
    ]);
  });

  it("are made of gates that apply, in status and in the run", async () => {
    shop.gate("prose/terms", "Warn for vague definitions.", "requires_type: [definition, term]");
    shop.note("salt", "Salt is sodium chloride.", "type: term");
    shop.commit();
    expect((await shop.json("status", "--gate", "prose/terms")).stale).toHaveLength(1);
    script({ "notes/hours.md": passes, "notes/salt.md": { ...passes, "prose/terms": "pass" } });
    expect(await shop.json("review", ...byScript)).toMatchObject({
      unreadable: [],
      after: { stale: 0 },
    });
  });

  it("of a folder are all those below it, as without a path", async () => {
    shop.write("notes/index.md", "---\nstatus: current\n---\n# All notes\n");
    shop.write("notes/prices.txt", "---\nstatus: current\n---\n# Prices\n");
    shop.write("notes/2026/rye.md", "# Rye\n");
    expect((await shop.json("status", "notes")).notes).toBe(4);
    expect((await shop.json("status")).notes).toBe(4);
    expect((await shop.json("status", "notes/2026/")).notes).toBe(1);
    expect((await shop.json("check", "notes/2026")).pairs).toBe(2);
    expect((await shop.json("status", "notes/index.md")).notes).toBe(1);
  });
});

it("roots, gates, exclusions and the lock are where the settings say", async () => {
  const places =
    "roots: [kb, wiki], gates: checks, exclude: [kb/archive/**], lock: kb/reviewed.lock";
  shop.write("signoff.yaml", `version: 1\nnotes: { ${places}, allow_offline: true }\n`);
  for (const path of ["kb/rye.md", "kb/archive/old.md", "wiki/oven.md"])
    shop.write(path, "---\nstatus: current\n---\n# A note\n");
  shop.write("checks/prose/short.md", "Warn for long notes.\n");
  shop.commit();
  script(
    Object.fromEntries(
      ["kb/rye.md", "wiki/oven.md"].map((path) => [path, { "prose/short": "pass" }]),
    ),
  );
  expect((await shop.json("review", ...byScript)).after.stale).toBe(0);
  const lines = shop
    .read("kb/reviewed.lock")
    .split("\n")
    .filter((line) => line.includes("\t"));
  expect(lines.map((line) => line.split("\t").slice(0, 2))).toEqual([
    ["kb/rye.md", "prose/short"],
    ["wiki/oven.md", "prose/short"],
  ]);
});

it("pairs are those of a named model and of notes with the values asked for", async () => {
  const nameless = await shop.notes("status", "--model", " ");
  expect(nameless.code).toBe(2);
  expect(nameless.err).toContain("Name a model.");
  shop.note("salt", "Salt is kept dry.", "status: archived\ntags: [kitchen, store]");
  expect((await shop.json("status", "--where", "status=current")).notes).toBe(1);
  expect((await shop.json("status", "--where", "tags=store")).notes).toBe(1);
  expect((await shop.notes("status", "--where", "status")).code).toBe(2);
});

describe("a run", () => {
  it("takes an uncommitted note as it stands, and says that no commit has it", async () => {
    shop.note("salt", "Salt is kept dry and dark.");
    await reviewed("pass");
    const store = new Connection({ path: join(shop.root, ".signoff/signoff.db"), queryOnly: true });
    const sql =
      "SELECT DISTINCT note_path, note_commit, note_blob FROM review_run_gates ORDER BY 1";
    const rows = store.all<{ note_commit: string | null; note_blob: string }>(sql);
    store.close();
    expect(rows.map(({ note_commit }) => note_commit)).toEqual([
      shop.git("rev-parse", "HEAD").trim(),
      null,
    ]);
    expect(rows[1]?.note_blob).toBe(shop.git("hash-object", "notes/salt.md").trim());
    expect((await shop.notes("status", ...byScript)).code).toBe(0);
  });

  it("of a sweep whose reply lacks a note fails as a whole, and earlier reviews go on counting", async () => {
    await reviewed("pass");
    shop.gate("prose/calm", "Fail what shouts or whispers.");
    shop.commit();
    script({ "notes/hours.md": passes, "notes/salt.md": { "prose/plain": "pass" } });
    const swept = await shop.notes("sweep", "prose/calm", ...byScript, "--json");
    expect(swept.code).toBe(1);
    const report = JSON.parse(swept.out);
    expect(report.unreadable).toHaveLength(1);
    expect(report.after.stale).toBe(2);
    for (const name of ["hours", "salt"])
      expect((await shop.json("history", `notes/${name}.md`)).entries).toHaveLength(4);
    expect((await shop.json("status", ...byScript)).counts).toMatchObject({ "gate-changed": 2 });
  });

  it("that waits goes on waiting when there is no reply to read", async () => {
    const asked = await shop.notes("prompt", "--model", "claude/opus", "notes/salt.md", "--json");
    const [{ run }] = JSON.parse(asked.out).prompts;
    const ingest = ["ingest", "--run", String(run), "--input"];
    expect((await shop.notes(...ingest, "nowhere.md")).code).toBe(2);
    shop.write("reply.md", "Nothing to say.\n");
    expect((await shop.notes(...ingest, "reply.md")).out).toContain("missing gate reviews");
  });

  it("that was killed and whose note is another by now is not left running", async () => {
    await reviewed("pass");
    shop.note("salt", "Salt is kept in jars.");
    const review = ["notes", "review", ...byScript];
    expect((await shop.run(review, { SIGNOFF_STOP_AT: "attempt-started" })).signal).toBe("SIGKILL");
    shop.note("salt", "Salt is kept in bags.");
    expect(await shop.json("review", ...byScript)).toMatchObject({
      abandoned: 1,
      after: { stale: 0 },
    });
  });
});

describe("the work list", () => {
  it("has failures too, with summary and revision where no finding is named", async () => {
    await reviewed(loud);
    expect(await work()).toEqual([
      expect.objectContaining({
        severity: "fail",
        message: "It shouts.",
        suggested_revision: "Say it.",
      }),
    ]);
  });

  it("keeps a finding through another model's pass, and through an acknowledgement", async () => {
    await reviewed(loud);
    shop.note("salt", "Salt is KEPT dry.");
    script({ "notes/salt.md": passes }, { model: "gpt-5.4" });
    await shop.notes("review", ...byScript);
    expect((await shop.json("status", "--model", "gpt-5.4", "notes/salt.md")).stale).toEqual([]);
    expect(await work()).toHaveLength(1);
    await shop.notes("ack", "notes/salt.md:prose/calm", "--reason", "one word", ...byScript);
    expect((await shop.json("status", "--gate", "prose/calm", ...byScript)).stale).toEqual([]);
    expect(await work()).toHaveLength(1);
  });

  it.each([
    ["a gate that changed", () => shop.gate("prose/calm", "Fail capitals."), "gate-changed"],
    [
      "a gate that is gone",
      () => shop.git("rm", "-q", "signoff/gates/prose/calm.md"),
      "the gate is gone",
    ],
    ["a note that is gone", () => shop.git("rm", "-q", "notes/salt.md"), "the note is gone"],
  ])("shows findings of %s as outdated", async (_, change, outdated) => {
    await reviewed(loud);
    change();
    expect(await work()).toEqual([expect.objectContaining({ outdated })]);
  });
});
