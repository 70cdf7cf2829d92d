import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { NotesRepository } from "../support/notes-repository.ts";

/** Reads the prompt and passes every block in it; says nothing of tokens or prices. */
const judge = `#!${process.execPath}
let prompt = "";
process.stdin.on("data", (part) => (prompt += part)).on("end", () => {
  const asked = [...prompt.matchAll(/^(=== GATE REVIEW START .*)\\n…\\n(## Result \\w+:) …\\n(=== .*)$/gm)];
  console.log(asked.map(([, start, result, end]) => [start, result + " PASS", end].join("\\n")).join("\\n"));
});
`;

it("a program costs nothing in plan and report, and unknown tokens stay unknown", async () => {
  const shop = new NotesRepository();
  try {
    shop.note("salt", "Salt is kept dry.");
    shop.gate("prose/calm", "Fail what shouts.");
    shop.write("judge.mjs", judge);
    const program = join(shop.root, "judge.mjs");
    chmodSync(program, 0o755);
    const commands = `commands: { lawyer: { argv: ["${program}"] } }`;
    shop.write("signoff.yaml", `version: 1\nnotes: { models: [command/lawyer] }\n${commands}\n`);
    shop.commit();
    await shop.run(["trust", "--yes"]);
    const planned = await shop.json("review", "--plan");
    expect(planned.cost.micro_usd).toMatchObject({ low: 0, high: 0 });
    const ran = await shop.notes("review");
    expect(ran.out).toContain("took 1 run, tokens unknown, $0.");
    expect(ran.code).toBe(0);
    shop.note("salt", "Salt is kept in jars.");
    const { actual } = await shop.json("review");
    expect(actual).toEqual({ runs: 1, completed: 1, failed: 0, micro_usd: 0 });
    const { runs } = JSON.parse((await shop.run(["runs", "list", "--all", "--json"])).out) as {
      readonly runs: readonly { readonly run_id: string; readonly spent: object }[];
    };
    expect(runs).toHaveLength(4);
    const unknown = { micro_usd: 0, tokens: null, uncounted: 1 };
    for (const { run_id: run, spent } of runs) {
      expect(spent).toMatchObject(unknown);
      expect(JSON.parse((await shop.run(["runs", "show", run, "--json"])).out).spent).toEqual(
        spent,
      );
    }
  } finally {
    shop.remove();
  }
});
