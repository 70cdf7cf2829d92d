import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { writeOriginalStore } from "../../../../tests/support/original-store.ts";
import { Connection } from "./connection.ts";
import { readOriginalReviews } from "./original-reviews.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "signoff-import-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("a store of the original program", () => {
  it("gives the current acceptance of each pair, with the newest review where an ack names none", () => {
    const path = join(folder, "review-store.sqlite");
    const store = new Connection({ path });
    store.execute(`
      CREATE TABLE gate_reviews (id INTEGER PRIMARY KEY, note_path TEXT, gate_id TEXT, model_id TEXT,
        decision TEXT, rationale_markdown TEXT);
      CREATE TABLE acceptance_events (id INTEGER PRIMARY KEY, note_path TEXT, gate_id TEXT,
        model_id TEXT, accepted_review_id INTEGER, accepted_note_sha TEXT, accepted_gate_sha TEXT,
        accepted_at TEXT);
      INSERT INTO gate_reviews VALUES (1, 'kb/notes/a.md', 'prose/x', 'opus-4-6', 'warn', 'Loud.');
      INSERT INTO acceptance_events VALUES
        (1, 'kb/notes/a.md', 'prose/x', 'opus-4-6', 1, 'n1', 'g1', '2026-03-01T10:00:00+02:00'),
        (2, 'kb/notes/a.md', 'prose/x', 'opus-4-6', NULL, 'n2', 'g1', '2026-03-02T10:00:00+02:00');`);
    store.close();
    expect(readOriginalReviews(path)).toEqual([
      {
        notePath: "kb/notes/a.md",
        gate: "prose/x",
        model: "opus-4-6",
        noteBlob: "n2",
        gateBlob: "g1",
        decision: "warn",
        text: "Loud.",
        at: "2026-03-02T10:00:00+02:00",
      },
    ]);
  });

  it("of a later version gives the accepted texts, their git ids and the review beside it", () => {
    const path = join(folder, "review-store.sqlite");
    const at = "2026-04-13T11:00:00+02:00";
    const snapshot = (id: number, text: string) =>
      `INSERT INTO artifact_snapshots VALUES (${id}, 'x${id}', 'file-text', '', '${text}', '${at}');`;
    const pair = (id: number) => `
      INSERT INTO freshness_baselines VALUES (${id}, 'review', '${id}', 1, '${at}');
      INSERT INTO freshness_inputs VALUES (${id}, 'note', 'x', 'file-text', 1),
        (${id}, 'criterion', 'x', 'file-text', 2);
      INSERT INTO review_pairs VALUES (${id}, 7, 'kb/notes/${id}.md', 'prose/x', ${id}, 'verdict',
        'warn', NULL, NULL, NULL, NULL, '${at}');
      INSERT INTO review_freshness_evidence VALUES (${id}, ${id});`;
    const job = `INSERT INTO review_jobs VALUES
      (7, 'opus-4-6', 'r', NULL, NULL, '${at}', '${at}', 'completed', NULL, NULL, 'note');`;
    const texts = `${snapshot(1, "Prices für alle")}${snapshot(2, "Be clear.")}`;
    writeOriginalStore(path, "later", `${texts}${job}${pair(2)}${pair(12)}${pair(3)}`);
    const reviews = join(folder, "review-jobs", "review-job-7");
    const pairs = () => readOriginalReviews(path).map(({ notePath, text }) => [notePath, text]);
    expect(pairs()).toEqual([
      ["kb/notes/12.md", ""],
      ["kb/notes/2.md", ""],
      ["kb/notes/3.md", ""],
    ]);
    mkdirSync(reviews, { recursive: true });
    writeFileSync(join(reviews, "summary.md"), "All of it.");
    writeFileSync(join(reviews, "pair-12-prices.md"), "Zwölf.");
    writeFileSync(join(reviews, "pair-2-prices.md"), "Two.");
    expect(pairs().map(([, text]) => text)).toEqual(["Zwölf.", "Two.", ""]);
    expect(readOriginalReviews(path)[1]).toEqual({
      ...{ notePath: "kb/notes/2.md", gate: "prose/x", model: "opus-4-6", decision: "warn", at },
      ...{ text: "Two.", texts: { note: "Prices für alle", gate: "Be clear." } },
      // As `git hash-object` computes them.
      noteBlob: "91fddaaf46dc5243465ebfbe6034701d9b0b3bf4",
      gateBlob: "eb86b9f67e8aff05ae0bb7c502d5439ed869beb4",
    });
  });

  it("is recognised among other files", () => {
    const path = join(folder, "other.sqlite");
    new Connection({ path }).close();
    expect(() => readOriginalReviews(path)).toThrow("not a review store");
    writeFileSync(join(folder, "empty.sqlite"), "");
    expect(() => readOriginalReviews(join(folder, "empty.sqlite"))).toThrow("not a review store");
    expect(() => readOriginalReviews(join(folder, "none.sqlite"))).toThrow("does not exist");
    writeFileSync(join(folder, "notes.md"), "# Prices\n");
    expect(() => readOriginalReviews(join(folder, "notes.md"))).toThrow(
      expect.objectContaining({
        code: "import-unreadable",
        message: `${join(folder, "notes.md")} is not a SQLite database.`,
      }),
    );
  });
});
