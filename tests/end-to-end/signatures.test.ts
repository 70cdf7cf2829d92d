import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { inFolder, runSignoff, writeScript } from "../support/signoff-process.ts";

it("every record of a draft says how each approval was signed and how the panel voted", async () => {
  await inFolder(async (cwd) => {
    const gone = { $error: { message: "Out for lunch." } };
    const script = await writeScript(cwd, {
      questions: true,
      creator: ["Sip clean.", "Refill. Repeat."],
      reviewer: [
        ...["SHIP IT!", "SHIP IT! Just run it by legal.", gone, "“Clean” is a claim."],
        ...["SHIP IT!", "SHIP IT! Short, mind.", gone, "SHIP IT!"],
      ],
    });
    const panel = ["brand", "legal", "tone"].flatMap((name) => ["--reviewer", name]);
    const args = ["draft", "water bottles", "--script", script, "--panel", "majority", "--json"];
    const drafted = await runSignoff([...args, ...panel], { cwd });
    expect(drafted.code).toBe(0);
    const session = JSON.parse(drafted.stdout);
    const model = `script:${script}`;
    const rule = { rule: "majority", called_person: [], absent: ["tone"] };
    expect(session.turns).toMatchObject([
      {
        vote: { ...rule, verdict: "changes_requested", approved: ["brand"], objected: ["legal"] },
        signatures: [
          { reviewer: "brand", model, how: "bare", beside: null },
          { reviewer: "legal", how: "refused", beside: "SHIP IT! Just run it by legal." },
        ],
      },
      {
        vote: { ...rule, verdict: "ok", approved: ["brand", "legal"], objected: [] },
        signatures: [
          { reviewer: "brand", how: "bare" },
          { reviewer: "legal", how: "asked", beside: "SHIP IT! Short, mind." },
        ],
      },
    ]);
    const folder = join(cwd, ".signoff", "runs", session.run_id);
    expect(JSON.parse(await readFile(join(folder, "turn_02.json"), "utf8"))).toMatchObject({
      vote: { approved: ["brand", "legal"], absent: ["tone"] },
      panel: [{ signature: { how: "bare" } }, { signature: { how: "asked" } }],
    });
    const record = await readFile(join(folder, "record.md"), "utf8");
    const shown = await runSignoff(["runs", "show", session.run_id], { cwd });
    for (const text of [record, shown.stdout]) {
      expect(text).toContain("rule majority; approved: brand, legal; absent: tone");
      expect(text).toContain("brand signed with a bare approval");
      expect(text).toMatch(/legal signed when asked.*\s+.*SHIP IT! Short, mind\./u);
    }
    const stats = await runSignoff(["runs", "stats", "--json"], { cwd });
    expect(JSON.parse(stats.stdout)).toMatchObject({
      reviewers: [{ model, signed: 3, questions: 2, refused: 1 }],
    });
  });
});
