import { env as surroundings } from "node:process";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NotesRepository } from "../support/notes-repository.ts";
import { ollamaWire } from "../support/provider-wires.ts";
import { openReviewServer } from "../support/review-server.ts";
import { startSignoff } from "../support/signoff-process.ts";

const { PATH = "" } = surroundings;
const opus = ["--model", "claude/opus"];
let shop: NotesRepository;
beforeEach(() => {
  shop = new NotesRepository();
  for (const name of ["bread", "hours", "salt"]) shop.note(name, `All about ${name}.`);
  shop.gate("prose/calm", "Fail what shouts.");
  shop.gate("prose/short", "Fail what is long.");
  shop.commit();
});
afterEach(() => shop.remove());

/** Asks an outside agent about a note and returns the command that takes its reply. */
async function askAgent(note: string, ...more: string[]): Promise<readonly string[]> {
  const { prompts } = JSON.parse(
    (await shop.notes("prompt", ...opus, note, "--json", ...more)).out,
  );
  const reply = [
    ...shop
      .read(prompts[0].prompt_path)
      .matchAll(/^=== GATE REVIEW (START|END) [0-9a-f]+: .*===$/gm),
  ].map(([line, end]) => (end === "START" ? `${line}\n## Result: PASS` : line));
  shop.write(prompts[0].output_path, reply.join("\n"));
  return ["ingest", "--run", String(prompts[0].run)];
}

const stale = async (note: string, ...model: string[]) =>
  (await shop.json("status", ...model, note)).stale;

describe("a reply that an agent owes", () => {
  it("is filed for its text after the note has moved", async () => {
    const ingest = await askAgent("notes/salt.md");
    expect((await shop.notes("mv", "notes/salt.md", "notes/stock/salt.md", "--apply")).code).toBe(
      0,
    );
    shop.note("salt", "Another note at the old place.");
    expect(await shop.json(...ingest)).toMatchObject({
      state: "completed",
      changed_meanwhile: [],
      decisions: [
        { note: "notes/stock/salt.md", gate: "prose/calm", decision: "pass" },
        { note: "notes/stock/salt.md", gate: "prose/short", decision: "pass" },
      ],
    });
    expect(await stale("notes/stock/salt.md", ...opus)).toEqual([]);
    expect(await stale("notes/salt.md", ...opus)).toHaveLength(2);
    expect(shop.read("signoff.lock")).toContain("notes/stock/salt.md\tprose/calm\tclaude-opus");
    const verified = JSON.parse((await shop.run(["verify", "note", "--json"])).out);
    const own = JSON.stringify(
      verified.standings.filter(({ name }: { name: string }) => name.includes("stock/salt")),
    );
    expect(own).toContain("proven");
  });

  it("finds its note after two moves, also at the end of a second attempt", async () => {
    const ingest = await askAgent("notes/salt.md");
    await shop.notes("mv", "notes/salt.md", "notes/stock/salt.md", "--apply");
    shop.write("empty.md", "Nothing to say.");
    const failed = await shop.notes(...ingest, "--input", "empty.md");
    expect(failed.code).toBe(1);
    const again = JSON.parse(
      (await shop.notes("retry", String(ingest.at(-1)), "--json")).out,
    ).prompt;
    await shop.notes("mv", "notes/stock/salt.md", "notes/store/salt.md", "--apply");
    const blocks = shop
      .read(again.prompt_path)
      .matchAll(/^=== GATE REVIEW (START|END) [0-9a-f]+: .*===$/gm);
    const lines = [...blocks].map(([line, end]) =>
      end === "START" ? `${line}\n## Result: PASS` : line,
    );
    shop.write(again.output_path, lines.join("\n"));
    expect((await shop.json("ingest", "--run", String(again.run))).state).toBe("completed");
    expect(await stale("notes/store/salt.md", ...opus)).toEqual([]);
  });

  it("is filed for a note that git moved and that was adopted before it came", async () => {
    const ingest = await askAgent("notes/salt.md");
    shop.git("mv", "notes/salt.md", "notes/pepper.md");
    expect((await shop.notes("mv", "--adopt", "--apply")).out).toContain("notes/pepper.md");
    expect((await shop.json(...ingest)).decisions).toHaveLength(2);
    expect(await stale("notes/pepper.md", ...opus)).toEqual([]);
  });

  it("names the command for a note that git moved and that is not adopted yet", async () => {
    const ingest = await askAgent("notes/salt.md");
    shop.git("mv", "notes/salt.md", "notes/pepper.md");
    const { out } = await shop.notes(...ingest);
    expect(out.replace(/\s+/gu, " ")).toContain("notes/salt.md is gone");
    expect(out).toContain("signoff notes mv --adopt --apply");
    expect((await shop.notes("mv", "--adopt", "--apply")).code).toBe(0);
    expect(await stale("notes/pepper.md", ...opus)).toEqual([]);
  });
});

describe("a move that rewrites links", () => {
  it("costs no second review of the notes that an agent is reading", async () => {
    shop.note("hours", "We bake [salt bread](bread.md).");
    shop.note("bread", "Baked with [salt](salt.md) in our [hours](hours.md#early).");
    shop.commit();
    const moved = await askAgent("notes/bread.md");
    const linking = await askAgent("notes/hours.md");
    expect((await shop.notes("mv", "notes/bread.md", "notes/stock/bread.md", "--apply")).code).toBe(
      0,
    );
    expect(shop.read("notes/stock/bread.md")).toContain("(../salt.md)");
    for (const ingest of [moved, linking])
      expect(await shop.json(...ingest)).toMatchObject({
        state: "completed",
        changed_meanwhile: [],
      });
    expect(await stale("notes/stock/bread.md", ...opus)).toEqual([]);
    expect(await stale("notes/hours.md", ...opus)).toEqual([]);
  });

  it("is made by adopting a note that git moved, and costs no second review", async () => {
    shop.note("hours", "We bake [salt bread](bread.md) as in [[bread]].");
    shop.note("bread", "Baked with [salt](salt.md).");
    shop.commit();
    for (const note of ["notes/bread.md", "notes/hours.md"])
      await shop.notes(...(await askAgent(note)));
    shop.write("notes/stock/rye.md", "---\ndescription: rye\n---\n# Rye\n");
    shop.git("mv", "notes/bread.md", "notes/stock/bread.md");
    expect((await shop.json("mv", "--adopt")).edits).toEqual([
      { path: "notes/hours.md", links: 1 },
      { path: "notes/stock/bread.md", links: 1 },
    ]);
    expect((await shop.notes("mv", "--adopt", "--apply")).out).toContain("1 link rewritten");
    expect(shop.read("notes/hours.md")).toContain("(stock/bread.md) as in [[bread]]");
    expect(shop.read("notes/stock/bread.md")).toContain("(../salt.md)");
    for (const note of ["notes/hours.md", "notes/stock/bread.md"])
      expect(await stale(note, ...opus)).toEqual([]);
    expect((await shop.json("mv", "--adopt")).moves).toEqual([]);
  });

  it("does not carry a review over to other words", async () => {
    shop.note("bread", "Baked with [salt](salt.md).");
    const ingest = await askAgent("notes/bread.md");
    await shop.notes("mv", "notes/bread.md", "notes/stock/bread.md", "--apply");
    shop.write("notes/stock/bread.md", `${shop.read("notes/stock/bread.md")}\nBUY NOW!\n`);
    expect((await shop.json(...ingest)).changed_meanwhile).toEqual(["notes/stock/bread.md"]);
    expect(await stale("notes/stock/bread.md", ...opus)).toHaveLength(2);
  });
});

describe("a sweep in another process", () => {
  const model = ["--model", ollamaWire.model];

  it("files its reviews where the notes are, for calls under way and calls to come", async () => {
    const server = await openReviewServer();
    const review = ["notes", "review", ...model, "--max-workers", "1", "--json"];
    const env = { OLLAMA_BASE_URL: server.url, PATH, SIGNOFF_USER: "ada" };
    const sweep = startSignoff(review, { cwd: shop.root, env });
    await server.called(1);
    for (const name of ["bread", "salt"])
      expect(
        (await shop.notes("mv", `notes/${name}.md`, `notes/shop/${name}.md`, "--apply")).code,
      ).toBe(0);
    shop.note("salt", "Another note at the old place.");
    server.release();
    const { code, stdout } = await sweep.ended;
    expect(JSON.parse(stdout).after).toEqual({ stale: 0, undecided: 0, failing: 0 });
    expect(code).toBe(0);
    expect(server.paid).toHaveLength(6);
    for (const name of ["shop/bread", "hours", "shop/salt"]) {
      expect(await stale(`notes/${name}.md`, ...model)).toEqual([]);
      expect(shop.read("signoff.lock")).toContain(`notes/${name}.md\tprose/calm\t`);
    }
    expect(await stale("notes/salt.md", ...model)).toHaveLength(2);
    expect((await shop.notes("check", ...model, "notes/shop/salt.md")).code).toBe(0);
  });

  it("costs no second review when the move has rewritten links", async () => {
    shop.note("bread", "Baked with [salt](salt.md).");
    shop.commit();
    const server = await openReviewServer();
    const review = ["notes", "review", ...model, "--max-workers", "1", "--json"];
    const env = { OLLAMA_BASE_URL: server.url, PATH, SIGNOFF_USER: "ada" };
    const sweep = startSignoff(review, { cwd: shop.root, env });
    await server.called(1);
    for (const name of ["bread", "salt"])
      await shop.notes("mv", `notes/${name}.md`, `notes/shop/${name}.md`, "--apply");
    expect(shop.read("notes/shop/bread.md")).toContain("(salt.md)");
    await shop.notes("mv", "notes/shop/bread.md", "notes/bread.md", "--apply");
    server.release();
    expect((await sweep.ended).code).toBe(0);
    const again = await startSignoff(review, { cwd: shop.root, env }).ended;
    expect(again.code).toBe(0);
    expect(server.paid).toHaveLength(6);
    expect((await shop.notes("status", ...model)).code).toBe(0);
  });
});
