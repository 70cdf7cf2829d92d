import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
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

  it("is told apart from any other file", () => {
    const path = join(folder, "other.sqlite");
    new Connection({ path }).close();
    expect(() => readOriginalReviews(path)).toThrow("not a review store");
    expect(() => readOriginalReviews(join(folder, "none.sqlite"))).toThrow("does not exist");
    writeFileSync(join(folder, "notes.md"), "# Prices\n");
    expect(() => readOriginalReviews(join(folder, "notes.md"))).toThrow("is not a SQLite database");
  });
});
