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
import { acceptAll, writeOriginalStore } from "../support/original-store.ts";

const judge = "script:reviews.json";
let ada: NotesRepository;
let ben: NotesRepository;
let ci: NotesRepository;
let notes: readonly BaseNote[];
const pairCount = () => notes.flatMap(gatesFor).length;

/** Reviews one note: the judge knows no other, so a further stale pair would stay stale. All gates pass but those named. */
async function review(
  base: NotesRepository,
  at: number,
  said: { readonly [gate: string]: string } = {},
) {
  const replies = gatesFor(notes[at] as BaseNote).map((gate) => [gate, said[gate] ?? "pass"]);
  const reviews = { [noteAt(at)]: Object.fromEntries(replies) };
  base.write("reviews.json", JSON.stringify({ reviews }));
  return base.json("review", "--allow-dirty-gates");
}
const edit = (base: NotesRepository, path: string, from: string, to: string): void =>
  base.write(path, base.read(path).replace(from, to));
const noteAt = (at: number): string => notes[at]?.path ?? "";

beforeAll(() => {
  ada = new NotesRepository();
  writeGates(ada);
  notes = writeNotes(ada, 400);
  ada.write(".gitignore", ".signoff/\nkb/reports/\nreviews.json\n");
  ada.commit();
  mkdirSync(join(ada.root, "kb/reports"));
  const pairs = notes.flatMap((note) => gatesFor(note).map((gate) => ({ note: note.path, gate })));
  const files = ada.git("ls-files", "--stage").split("\n");
  const blobs = new Map(files.map((line) => [line.split("\t")[1], line.split(" ")[1] ?? ""]));
  const accepted = pairs.map(({ note, gate }) => ({
    ...{ note, gate, noteBlob: blobs.get(note) ?? "" },
    gateBlob: blobs.get(`${gateFolder}/${gate}.md`) ?? "",
  }));
  writeOriginalStore(
    join(ada.root, "kb/reports/review-store.sqlite"),
    "first",
    acceptAll("claude-opus-4-6", accepted),
  );
});
afterAll(() => {
  for (const base of [ada, ben, ci]) base?.remove();
});

describe("a knowledge base of 400 notes and 42 gates", () => {
  it("is taken over as it is: every accepted pair is fresh, in a status of one screen", async () => {
    expect(gateIds).toHaveLength(42);
    await ada.notes("init", "--judge", judge);
    const first = await ada.notes("status");
    expect(first.out.split("\n").length).toBeLessThanOrEqual(24);
    expect(first.out).toContain("400 notes × 42 gates");
    const from = ["--from", "kb/reports/review-store.sqlite"];
    const done = await ada.json("import", ...from, "--model", `claude-opus-4-6=${judge}`);
    expect(done.imported).toBe(pairCount());
    expect(await ada.json("status")).toMatchObject({ stale: [], fresh: { pass: pairCount() } });
    ada.commit("Take over the reviews");
    ben = new NotesRepository({ origin: ada, user: "ben" });
  });

  it("is changed by two people on two branches, each with a store of their own", async () => {
    ada.git("switch", "--quiet", "--create", "ada");
    edit(ada, noteAt(0), "two ways", "three ways");
    expect((await ada.notes("mv", noteAt(2), "kb/notes/good-flour.md", "--apply")).code).toBe(0);
    expect(ada.read(noteAt(1))).toContain("[[good-flour]]");
    const warn = `### Findings\n\n- warn: three of what?\n  > three ways\n\n## Result {{code}}: WARN`;
    const said = { "prose/proportion-mismatch": warn };
    expect((await review(ada, 0, said)).after).toMatchObject({ stale: 0, failing: 0 });
    ada.commit("Try a third way");
    ben.git("switch", "--quiet", "--create", "ben");
    edit(ben, noteAt(5), "two ways", "four ways");
    edit(ben, noteAt(6), "tags: [", "tags: [trial, ");
    edit(ben, `${gateFolder}/prose/source-residue.md`, "Looks for", "Warns of");
    expect((await review(ben, 5)).after).toMatchObject({ stale: 0 });
    ben.commit("Try a fourth way");
  });

  it("merges without a conflict, and CI answers from the lock alone", async () => {
    ada.git("switch", "--quiet", "main");
    ada.git("merge", "--quiet", "ada");
    ada.git("fetch", "--quiet", ben.root, "ben");
    ada.git("merge", "--quiet", "--no-edit", "FETCH_HEAD");
    ci = new NotesRepository({ origin: ada, user: "ci" });
    const check = await ci.json("check");
    expect(check).toMatchObject({ passed: true, pairs: pairCount(), stale: 0, failing: 0 });
    expect(check.findings).toMatchObject([
      { note: noteAt(0), gate: "prose/proportion-mismatch", line: 10, quote: "three ways" },
    ]);
    const xml = (await ci.notes("check", "--format", "junit")).out;
    expect(xml).toContain(`<testsuites tests="${pairCount()}" failures="0">`);
  });

  it("fails a change that was not reviewed, and names note, gate and command", async () => {
    edit(ci, noteAt(8), "won", "lost");
    ci.commit("Change without a review");
    const ran = await ci.notes("check", "--changed-since", "HEAD~1", "--format", "github");
    expect(ran.code).toBe(1);
    const lines = ran.out.trimEnd().split("\n");
    expect(lines).toHaveLength(gatesFor(notes[8] as BaseNote).length);
    expect(lines[0]).toContain(`Review it: signoff notes review ${noteAt(8)} --gate `);
  });
});
