import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NotesRepository } from "../support/notes-repository.ts";
import { writeOriginalStore } from "../support/original-store.ts";

let shop: NotesRepository;
beforeEach(() => {
  shop = new NotesRepository();
  shop.note("hours", "We open at eight. See [the prices](prices.md).");
  shop.note("prices", "A loaf costs four euros.");
  shop.gate("prose/calm", "Fail what shouts.");
  shop.commit();
});
afterEach(() => shop.remove());

const blobOf = (path: string): string => shop.git("hash-object", path).trim();
const gate = "signoff/gates/prose/calm.md";
const everythingPasses = (...names: string[]): void =>
  shop.write(
    "reviews.json",
    JSON.stringify({
      reviews: Object.fromEntries(
        names.map((name) => [`notes/${name}.md`, { "prose/calm": "pass" }]),
      ),
    }),
  );
const review = async (...names: string[]): Promise<void> => {
  everythingPasses(...names);
  expect((await shop.notes("review", "--script", "reviews.json")).code).toBe(0);
};

describe("importing the original's reviews", () => {
  const model = "claude-opus-4-6";
  const status = () => shop.json("status", "--model", model);

  it("takes over the current acceptance of each pair of its first schema, once", async () => {
    const [hours, prices] = [blobOf("notes/hours.md"), blobOf("notes/prices.md")];
    const at = "'2026-04-13T11:00:00+02:00'";
    const run = `INSERT INTO review_runs (id, note_path, model_id, runner, reviewed_note_sha, started_at,
      status) VALUES`;
    const reviewed = `INSERT INTO gate_reviews (id, review_run_id, note_path, gate_id, model_id, decision,
      rationale_markdown, gate_sha, reviewed_note_sha, reviewed_at, review_kind) VALUES`;
    const accepted = `INSERT INTO acceptance_events (note_path, gate_id, model_id, accepted_review_id,
      accepted_note_sha, accepted_gate_sha, accepted_at, acceptance_kind) VALUES`;
    const pair = (note: string) => `'notes/${note}.md', 'prose/calm', '${model}'`;
    writeOriginalStore(
      join(shop.root, "review-store.sqlite"),
      "first",
      `${run} (1, 'notes/hours.md', '${model}', 'claude', 'old', ${at}, 'completed'),
         (2, 'notes/prices.md', '${model}', 'claude', '${prices}', ${at}, 'completed');
       ${reviewed} (1, 1, ${pair("hours")}, 'warn', 'It nearly shouts.', '${blobOf(gate)}', 'old', ${at},
         'full-review'), (2, 2, ${pair("prices")}, 'unknown', 'No idea.', '${blobOf(gate)}', '${prices}',
         ${at}, 'full-review');
       ${accepted} (${pair("hours")}, 1, 'old', '${blobOf(gate)}', ${at}, 'full-review'),
         (${pair("hours")}, NULL, '${hours}', '${blobOf(gate)}', ${at}, 'trivial-change-ack'),
         (${pair("prices")}, 2, '${prices}', '${blobOf(gate)}', ${at}, 'full-review');`,
    );
    const from = ["import", "--from", "review-store.sqlite"];
    expect(await shop.json(...from)).toMatchObject({ imported: 1, known: 0, undecided: 1 });
    expect(await status()).toMatchObject({ fresh: { warn: 1, pass: 0, fail: 0 } });
    expect((await status()).stale.map((one: { note: string }) => one.note)).toEqual([
      "notes/prices.md",
    ]);
    expect(shop.read("signoff.lock")).toContain("migration-import");
    expect((await shop.json("history", "notes/hours.md")).entries).toHaveLength(2);
    expect(await shop.json(...from)).toMatchObject({ imported: 0, known: 1, undecided: 1 });
  });

  it("takes the accepted texts of its later schema, not the reviewed ones", async () => {
    const snapshot = (id: number, path: string, text: string): string =>
      `(${id}, '${path}', 'file-text', 'sha-${id}', '${text.replaceAll("'", "''")}', '2026-06-24')`;
    writeOriginalStore(
      join(shop.root, "store.sqlite"),
      "later",
      `INSERT INTO artifact_snapshots VALUES ${snapshot(1, "notes/hours.md", "earlier words")},
         ${snapshot(2, "notes/hours.md", shop.read("notes/hours.md"))},
         ${snapshot(3, gate, shop.read(gate))};
       INSERT INTO review_jobs (review_job_id, model_partition, runner, created_at, status, grouping)
         VALUES (1, '${model}', 'claude', '2026-06-24', 'completed', 'note');
       INSERT INTO review_pairs (review_pair_id, review_job_id, note_path, criterion_path, pair_ordinal,
         result_kind, outcome, reviewed_note_snapshot_id, reviewed_criterion_snapshot_id, completed_at)
         VALUES (1, 1, 'notes/hours.md', '${gate}', 0, 'verdict', 'pass', 1, 3, '2026-06-24'),
           (2, 1, 'notes/prices.md', '${gate}', 1, 'report', NULL, 1, 3, '2026-06-24');
       INSERT INTO freshness_baselines VALUES (1, 'review', '{}', 2, '2026-06-25T08:00:00+00:00');
       INSERT INTO freshness_inputs VALUES (1, 'note', 'notes/hours.md', 'file-text', 2),
         (1, 'criterion', '${gate}', 'file-text', 3);
       INSERT INTO review_freshness_evidence VALUES (1, 1);`,
    );
    expect(await shop.json("import", "--from", "store.sqlite")).toMatchObject({ imported: 1 });
    expect(await status()).toMatchObject({ fresh: { pass: 1 }, counts: { "missing-review": 1 } });
  });

  it("refuses a file that is none of them and makes no store", async () => {
    shop.write("other.sqlite", "");
    const ran = await shop.notes("import", "--from", "other.sqlite");
    expect(ran.code).toBe(2);
    expect(ran.err).toMatch(/not a review\s+store\s+of\s+the\s+original\s+program/);
    expect(existsSync(join(shop.root, ".signoff"))).toBe(false);
  });
});

describe("setting up", () => {
  it("writes settings, keeps the gates that are there, and touches nothing of them", async () => {
    const mine = shop.read(gate);
    const { written } = await shop.json("init");
    expect(written).toContain("signoff.yaml");
    expect(written).not.toContain(gate);
    expect(shop.read(gate)).toBe(mine);
    expect((await shop.json("status")).gates).toBe(1);
    expect(shop.read(".gitattributes")).toContain("signoff.lock merge=union\n");
    shop.write("signoff.yaml", "version: 1\nnotes: { gates: signoff/gates }\n");
    expect((await shop.json("init")).written).toEqual([]);
    expect(shop.read("signoff.yaml")).toContain("notes: { gates");
  });

  it("names the markdown that it leaves out, and how to include it", async () => {
    for (const name of ["docs/install.md", "docs/use.md", "README.md"])
      shop.write(name, "# Plain\n");
    const out = (await shop.notes("init")).out.replace(/\s+/gu, " ");
    expect(out).toContain("3 other markdown files (README.md, docs/install.md, docs/use.md)");
    expect(out).toMatch(/notes\.roots in signoff\.yaml: .*docs/);
  });

  it("installs the starter gates where there are none, and allows no stand-ins", async () => {
    shop.git("rm", "--quiet", gate);
    const { written } = await shop.json("init");
    expect(written.filter((path: string) => path.startsWith("signoff/gates/"))).toHaveLength(12);
    shop.commit();
    await shop.notes("review");
    expect((await shop.json("check")).findings[0]).toMatchObject({ rule: "stand-in" });
  });
});

describe("exported reviews", () => {
  const exported = (note: string): string[] => {
    const folder = join(shop.root, "signoff/reviews/notes", note);
    return existsSync(folder) ? readdirSync(folder) : [];
  };

  it("hold the review and where it came from, and are the same when made again", async () => {
    await review("hours", "prices");
    const { written } = await shop.json("export");
    expect(written).toHaveLength(2);
    const text = shop.read(written[0]);
    for (const fact of [
      'note: "notes/hours.md"',
      'gate: "prose/calm"',
      `noteBlob: "${blobOf("notes/hours.md")}"`,
      `gateBlob: "${blobOf(gate)}"`,
      'acceptance: "full-review"',
      `commit: "${shop.git("rev-parse", "HEAD").trim()}"`,
    ])
      expect(text).toContain(fact);
    expect(text).toMatch(/^## Result \w{10}: PASS$/mu);
    await shop.json("export");
    expect(shop.read(written[0])).toBe(text);
  });

  it("move with their note, metadata included, and their reviews stay fresh", async () => {
    await review("hours", "prices");
    await shop.json("export");
    shop.commit();
    expect((await shop.notes("mv", "notes/prices.md", "notes/till/prices.md")).code).toBe(0);
    expect(exported("prices.md")).toHaveLength(1);
    const moved = await shop.notes("mv", "notes/prices.md", "notes/till/prices.md", "--apply");
    expect(moved.code).toBe(0);
    expect(exported("prices.md")).toEqual([]);
    const [file = ""] = exported("till/prices.md");
    const text = shop.read(`signoff/reviews/notes/till/prices.md/${file}`);
    expect(text).toContain('note: "notes/till/prices.md"');
    expect(text).not.toContain("notes/prices.md");
    expect(shop.read("notes/hours.md")).toContain("(till/prices.md)");
    expect((await shop.json("status", "--script", "reviews.json")).stale).toEqual([]);
    expect(shop.read("signoff.lock")).toContain("relocation-ack");
  });

  it("are not written over by a move: the move is refused and changes nothing", async () => {
    await review("hours", "prices");
    await shop.json("export");
    shop.write("signoff/reviews/notes/till/prices.md/prose__calm.mine.md", "Mine.\n");
    shop.commit();
    const refused = await shop.notes("mv", "notes/prices.md", "notes/till/prices.md", "--apply");
    expect(refused.code).toBe(2);
    expect(refused.err).toContain("exists already");
    expect(shop.git("status", "--porcelain")).toBe("");
  });

  it("and rows of another note under the new name refuse a move", async () => {
    shop.note("tariff", "A roll costs one euro.");
    shop.commit();
    await review("hours", "prices", "tariff");
    shop.git("rm", "--quiet", "notes/tariff.md");
    shop.commit();
    const refused = await shop.notes("mv", "notes/prices.md", "notes/tariff.md", "--apply");
    expect(refused.code).toBe(2);
    expect(refused.err).toContain("the store has reviews of notes/tariff.md already");
    expect(shop.git("status", "--porcelain")).toBe("");
  });
});
