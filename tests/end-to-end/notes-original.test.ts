import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type BaseNote,
  gateFolder,
  gateIds,
  gatesFor,
  writeGates,
  writeNotes,
} from "../support/knowledge-base.ts";
import { NotesRepository } from "../support/notes-repository.ts";
import { writeOriginalStore } from "../support/original-store.ts";

let base: NotesRepository;
let notes: readonly BaseNote[];
const store = "kb/reports/review-store.sqlite";
const opus = "claude-opus-4-6";
const judge = "anthropic/opus";
const loud =
  "### Summary\n\nIt repeats itself.\n\n### Findings\n\n- warn: says it twice\n  > The second way won\n\n## Result: WARN\n";

const blobs = (): ReadonlyMap<string, string> =>
  new Map(
    base
      .git("ls-files", "--stage")
      .split("\n")
      .map((line) => [line.split("\t")[1] ?? "", line.split(" ")[1] ?? ""]),
  );
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Every pair of the first five notes, accepted by one model; the first pair warns. A second model knows one pair. */
function originalRows(): string {
  const at = "'2026-04-13T11:00:00+02:00'";
  const rows: string[] = [];
  const known = blobs();
  const sha = (path: string): string => known.get(path) ?? "";
  let id = 0;
  for (const note of notes.slice(0, 5))
    for (const gate of gatesFor(note)) {
      id += 1;
      const pair = `${quoted(note.path)}, ${quoted(gate)}, ${quoted(opus)}`;
      const [noteSha, gateSha] = [sha(note.path), sha(`${gateFolder}/${gate}.md`)].map(quoted);
      const decision = id === 1 ? "'warn'" : "'pass'";
      const text = quoted(id === 1 ? loud : "### Summary\n\nFine.\n\n## Result: PASS\n");
      rows.push(`INSERT INTO review_runs (id, note_path, model_id, runner, reviewed_note_sha, started_at, status)
          VALUES (${id}, ${quoted(note.path)}, ${quoted(opus)}, 'claude-code', ${noteSha}, ${at}, 'completed');
        INSERT INTO gate_reviews VALUES (${id}, ${id}, ${pair}, ${decision}, ${text}, NULL, ${gateSha},
          ${noteSha}, NULL, ${at}, 'full-review');
        INSERT INTO acceptance_events (note_path, gate_id, model_id, accepted_review_id, accepted_note_sha,
          accepted_gate_sha, accepted_at, acceptance_kind) VALUES (${pair}, ${id}, ${noteSha}, ${gateSha}, ${at}, 'full-review');`);
    }
  const gone = `${quoted("kb/notes/deleted.md")}, 'prose/source-residue', 'gpt-5-4'`;
  rows.push(`INSERT INTO acceptance_events (note_path, gate_id, model_id, accepted_review_id, accepted_note_sha,
    accepted_gate_sha, accepted_at, acceptance_kind) VALUES (${gone}, 1, 'x', 'y', ${at}, 'full-review');`);
  return rows.join("\n");
}

beforeAll(() => {
  base = new NotesRepository();
  writeGates(base);
  notes = writeNotes(base, 12);
  base.write("README.md", "# The bakery's knowledge\n");
  base.write(".gitignore", ".signoff/\nkb/reports/\n");
  base.commit();
  mkdirSync(join(base.root, "kb/reports"), { recursive: true });
  writeOriginalStore(join(base.root, store), "first", originalRows());
});
afterAll(() => base.remove());

describe("a repository of the original program", () => {
  it("is found by init as it is: its folders of notes, its 42 gates, and no stand-ins allowed", async () => {
    const made = await base.json("init", "--judge", judge);
    expect(made).toEqual({
      written: ["signoff.yaml", ".gitattributes"],
      roots: ["kb/notes", "kb/reference"],
      passed_over: ["README.md"],
      gates: gateFolder,
      judge,
    });
    const settings = base.read("signoff.yaml");
    expect(settings).toMatch(/^ {2}judge: anthropic\/opus/m);
    expect(settings).not.toMatch(/^\s*allow_offline: true/m);
    expect(settings).toContain("Found: 11 files in kb/notes, 1 file in kb/reference.");
    expect(base.read(".gitattributes")).toContain("signoff.findings.jsonl merge=union");
    expect(await base.json("status")).toMatchObject({ notes: 12, gates: gateIds.length });
    expect(gateIds).toHaveLength(42);
  });

  it("keeps its accepted pairs fresh under the model chosen at import, with their findings", async () => {
    const accepted = notes.slice(0, 5).flatMap(gatesFor).length;
    const plain = await base.notes("import", "--from", store);
    expect(plain.out).toContain(`${accepted} acceptances imported`);
    expect(plain.out).toContain("1 of notes or gates that are not here skipped");
    const next = `--model ${opus}=${judge}`;
    expect(plain.out).toContain(`signoff notes import --from ${store} ${next}`);
    expect((await base.json("status")).fresh).toEqual({ pass: 0, warn: 0, fail: 0 });
    const again = await base.json("import", "--from", store, ...next.split(" "));
    expect(again).toMatchObject({ imported: accepted, known: 0, undecided: 0, gone: 0 });
    expect((await base.json("status")).fresh).toEqual({ pass: accepted - 1, warn: 1, fail: 0 });
    const [work] = (await base.json("warns")).notes;
    expect(work.findings[0]).toMatchObject({
      message: "says it twice",
      quote: "The second way won",
      line: 12,
    });
    expect(base.read("signoff.findings.jsonl")).toContain("says it twice");
  });

  it("asks again only where a text changed that the gate looks at", async () => {
    const [first, second] = notes;
    if (first === undefined || second === undefined) throw new Error("there are notes");
    base.write(first.path, base.read(first.path).replace("tags: [dough]", "tags: [dough, rye]"));
    base.write(second.path, base.read(second.path).replace("won", "lost"));
    const stale = (await base.json("status", "--reason", "note-changed")).stale;
    expect(new Set(stale.map((one: { note: string }) => one.note))).toEqual(new Set([second.path]));
  });

  it("says which models the original knows when the one asked for is not among them", async () => {
    const wrong = await base.notes("import", "--from", store, "--model", "claude-sonnet");
    expect(wrong).toMatchObject({ code: 2 });
    expect(wrong.err.replaceAll(/\s+/g, " ")).toContain(`It has those of ${opus}, gpt-5-4.`);
  });
});
