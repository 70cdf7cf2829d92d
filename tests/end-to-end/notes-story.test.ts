import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NotesRepository } from "../support/notes-repository.ts";

let bakery: NotesRepository;

beforeAll(() => {
  bakery = new NotesRepository();
  rmSync(bakery.root, { recursive: true });
  const made = spawnSync(resolve("examples/notes-with-gates/make-repository.sh"), [bakery.root]);
  if (made.status !== 0) throw new Error(made.stderr.toString());
});
afterAll(() => bakery.remove());

const decisionOf = (note: string, gate: string): string | undefined =>
  bakery
    .read("signoff.lock")
    .split("\n")
    .find((line) => line.startsWith(`${note}\t${gate}\t`))
    ?.split("\t")[5];

// One story: each test goes on where the one before it ended.
describe("the bakery's notes, from the first status to CI", { shuffle: false }, () => {
  it("begins with every pair missing, and writes nothing to find that out", async () => {
    const status = await bakery.json("status");
    expect(status).toMatchObject({ notes: 40, gates: 12, pairs: 480 });
    expect(status.counts["missing-review"]).toBe(480);
    expect((await bakery.notes("status")).code).toBe(1);
    expect(bakery.git("status", "--porcelain")).toBe("");
  });

  it("plans without asking anybody", async () => {
    const plan = await bakery.json("review", "--plan");
    expect(plan.cost.pairs + plan.rule_pairs).toBe(480);
    expect(bakery.git("status", "--porcelain")).toBe("");
    expect(existsSync(join(bakery.root, ".signoff"))).toBe(false);
  });

  it("reviews all of them, finds the planted faults and nothing is stale after", async () => {
    const review = await bakery.json("review");
    expect(review).toMatchObject({ after: { stale: 0, undecided: 0, failing: 3 }, stand_in: true });
    expect((await bakery.json("status")).counts["missing-review"]).toBe(0);
    expect(decisionOf("notes/returns.md", "prose/stock-phrases")).toBe("warn");
    expect(decisionOf("notes/complaints.md", "semantic/title-body-alignment")).toBe("fail");
    expect(decisionOf("notes/salt.md", "prose/stock-phrases")).toBe("pass");
    const work = await bakery.json("warns");
    expect(work.notes.map((one: { note: string }) => one.note)).toContain("notes/newsletter.md");
    bakery.commit("Review the notes");
  });

  it("makes an edited note stale for exactly its own gates", async () => {
    bakery.write("notes/salt.md", `${bakery.read("notes/salt.md")}Sea salt is kept apart.\n`);
    const status = await bakery.json("status", "--diff");
    expect(status.stale).toHaveLength(10);
    expect(status.trivial).toBe(2);
    expect(status.counts).toMatchObject({ "note-changed": 10 });
    expect(status.stale[2]).toMatchObject({ note: "notes/salt.md", reason: "note-changed" });
    expect(status.stale[2].diff).toContain("+Sea salt is kept apart.");
    expect((await bakery.json("review")).actual.completed).toBeGreaterThan(0);
    expect((await bakery.notes("status")).code).toBe(0);
  });

  it("acknowledges a change that no gate looks at, without a call", async () => {
    bakery.write("notes/salt.md", bakery.read("notes/salt.md").replace("[bakery]", "[baking]"));
    const dry = await bakery.notes("ack", "--trivial", "--dry-run");
    expect(dry.out).toContain("Would be acknowledged 12 pairs.");
    expect(dry.out).toContain("notes/salt.md:prose/stock-phrases\n");
    expect(await bakery.json("status")).toMatchObject({ trivial: 12, stale: [] });
    const review = await bakery.json("review");
    expect(review).toMatchObject({ acknowledged: 12, actual: { runs: 0 }, after: { stale: 0 } });
    expect(await bakery.json("status")).toMatchObject({ trivial: 0, stale: [] });
    bakery.commit("Name the tag better");
  });

  it("makes every note stale for a gate that was edited, and for no other", async () => {
    const path = "signoff/gates/prose/stock-phrases.md";
    bakery.write(path, bakery.read(path).replace("Quote the phrase.", "Quote the whole phrase."));
    const refused = await bakery.notes("review");
    expect(refused.code).toBe(2);
    expect(refused.err).toContain(`uncommitted changes: ${path}`);
    bakery.commit("Ask for the whole phrase");
    expect((await bakery.json("status")).counts).toMatchObject({
      "gate-changed": 40,
      "note-changed": 0,
    });
    expect((await bakery.json("sweep", "prose/stock-phrases")).after.stale).toBe(0);
    bakery.commit("Review again");
  });

  it("moves a note with its links and reviews, and nothing is stale after", async () => {
    const dry = await bakery.notes("mv", "notes/price-changes.md", "notes/shop/price-changes.md");
    expect(dry.out).toContain("Nothing was changed");
    expect(bakery.git("status", "--porcelain")).toBe("");
    const moved = await bakery.notes(
      "mv",
      "notes/price-changes.md",
      "notes/shop/price-changes.md",
      "--apply",
    );
    expect(moved.code).toBe(0);
    expect(bakery.read("notes/website-prices.md")).toContain("(shop/price-changes.md)");
    expect((await bakery.notes("status")).code).toBe(0);
    expect(bakery.read("signoff.lock")).toContain("relocation-ack");
    bakery.commit("Move the prices");
  });

  it("follows a plain git mv on request", async () => {
    bakery.git("mv", "notes/salt.md", "notes/sea-salt.md");
    expect((await bakery.json("status")).counts["missing-review"]).toBe(12);
    expect((await bakery.json("mv", "--adopt")).moves).toEqual([
      { old: "notes/salt.md", new: "notes/sea-salt.md" },
    ]);
    expect((await bakery.notes("mv", "--adopt", "--apply")).code).toBe(0);
    expect((await bakery.notes("status")).code).toBe(0);
    bakery.commit("Rename salt");
  });

  it("proves it to CI without the database, and tells what changed since", async () => {
    rmSync(join(bakery.root, ".signoff"), { recursive: true });
    const failing = await bakery.json("check");
    expect(failing).toMatchObject({ passed: false, stale: 0, failing: 3 });
    const path = "notes/complaints.md";
    bakery.write(
      path,
      bakery
        .read(path)
        .replace(
          /The delivery van.*/,
          "Complaints are answered within two days by whoever is handling the shop.",
        ),
    );
    const since = await bakery.json("check", "--changed-since", "HEAD");
    expect(since.stale).toBeGreaterThan(0);
    expect(since.findings.every(({ note }: { note: string }) => note === path)).toBe(true);
    expect(bakery.git("status", "--porcelain", "--ignored")).not.toContain(".signoff");
  });

  it("goes on from the lock alone in a fresh clone", async () => {
    const review = await bakery.json("review");
    expect(review.planned.pairs).toBeLessThan(12);
    expect(await bakery.json("check")).toMatchObject({ stale: 0, failing: 2 });
  });
});
