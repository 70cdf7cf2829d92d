import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { NotesRepository } from "../support/notes-repository.ts";
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
