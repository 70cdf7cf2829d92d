import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { NotesRepository } from "../support/notes-repository.ts";
import { operateOnStore } from "../support/store-surgery.ts";
import { inFolder, runSignoff, writeScript } from "../support/signoff-process.ts";

const approved = { creator: ["Hydrate Green, Save Our Seas"], reviewer: ["SHIP IT!"] };

describe("signoff verify", () => {
  it.each([[[]], [["stage"]], [["some-name"]]])(
    "is no success where there is nothing to verify: %j",
    async (what) => {
      await inFolder(async (cwd) => {
        const ended = await runSignoff(["verify", ...what], { cwd });
        expect(ended).toMatchObject({ code: 2, stdout: "" });
        expect(ended.stderr).toContain("nothing to verify here");
      });
    },
  );

  it("takes a kind, a name or the start of an id, and names what there is otherwise", async () => {
    await inFolder(async (cwd) => {
      const script = await writeScript(cwd, approved);
      await runSignoff(["draft", "water bottles", "--script", script], { cwd });
      const all = await runSignoff(["verify", "--json"], { cwd });
      const [{ name }] = JSON.parse(all.stdout).standings;
      for (const what of ["draft", name, name.slice(0, 8)]) {
        const ended = await runSignoff(["verify", what], { cwd });
        expect(ended.code, what).toBe(0);
        expect(ended.stdout).toContain(name);
      }
      expect((await runSignoff(["verify", "note"], { cwd })).code).toBe(2);
      const wrong = await runSignoff(["verify", "nothing-like-it"], { cwd });
      expect(wrong.code).toBe(2);
      expect(wrong.stderr.replace(/\s+/gu, "")).toContain(name);
    });
  });

  it("finds a draft behind a thousand newer ones", async () => {
    await inFolder(async (cwd) => {
      const script = await writeScript(cwd, approved);
      await runSignoff(["draft", "water bottles", "--script", script], { cwd });
      const copies = "WITH RECURSIVE copies (n) AS (SELECT 1 UNION SELECT n + 1 FROM copies LIMIT 1001)";
      operateOnStore(
        cwd,
        `CREATE TEMP TABLE more AS ${copies} SELECT runs.*, n FROM runs, copies;
         INSERT INTO jobs (id, input, input_text, settings)
           SELECT jobs.id || n, jobs.input, jobs.input_text, jobs.settings FROM jobs JOIN more ON more.job = jobs.id;
         UPDATE more SET run = run || n, top = run || n, job = job || n, state = 'cancelled',
           created_at = '2099' || substr(created_at, 5);
         ALTER TABLE more DROP COLUMN n;
         INSERT INTO runs SELECT * FROM more;`,
      );
      const ended = await runSignoff(["verify", "draft"], { cwd });
      expect(ended).toMatchObject({ code: 0 });
      expect(ended.stdout).toContain("1 accepted, 0 not");
    });
  });

  it("finds episodes however deep they are", async () => {
    await inFolder(async (cwd) => {
      const at = ["--workspace", "a/b/c/d/e/bread"];
      const episode = (...args: readonly string[]) => runSignoff(["episode", ...args, ...at], { cwd });
      writeFileSync(join(cwd, "signoff.yaml"), "version: 1\n");
      writeFileSync(join(cwd, "talk.txt"), "00:00:00 Ann: Bread needs two days.\n");
      await episode("init", "--episode-id", "bread");
      await episode("add", "--transcript", "talk.txt", "--host", "Ann");
      await episode("chunk");
      await episode("review", "--asset-id", "slug", "--fake-runner");
      const ended = await runSignoff(["verify", "a/b/c/d/e/bread slug"], { cwd });
      expect(ended.stdout).toContain("a/b/c/d/e/bread slug");
    });
  });

  it("lists pairs that every review left undecided", async () => {
    const shop = new NotesRepository();
    try {
      shop.note("salt", "Salt is kept dry.");
      shop.gate("prose/tone", "Is the tone kind?");
      shop.commit();
      await shop.notes("review", "--model", "offline/rules");
      const ended = await shop.run(["verify", "note"]);
      expect(ended.code).toBe(1);
      expect(ended.out).toContain("notes/salt.md:prose/tone");
      const said = ended.out.replace(/\s+/gu, " ");
      expect(said).toContain("undecided: one review without a verdict");
      expect(said).toContain("--gate prose/tone --model offline/rules --retry-undecided");
    } finally {
      shop.remove();
    }
  });

  it("refuses notes that can no longer be read instead of leaving them out", async () => {
    const shop = new NotesRepository();
    try {
      shop.note("salt", "Salt is kept dry.");
      shop.phraseGate("prose/stock-phrases");
      shop.commit();
      await shop.notes("review");
      expect((await shop.run(["verify", "note"])).out).toContain(
        "notes/salt.md:prose/stock-phrases",
      );
      writeFileSync(join(shop.root, "notes/salt.md"), Buffer.from([0x23, 0x20, 0xff, 0xfe, 0x0a]));
      const ended = await shop.run(["verify", "note", "--json"]);
      expect(ended.code).toBe(1);
      const [standing] = JSON.parse(ended.out).standings;
      expect(standing).toMatchObject({ accepted: false, why: "it cannot be read" });
      expect(standing.name).toBe("notes/salt.md");
    } finally {
      shop.remove();
    }
  });
});
