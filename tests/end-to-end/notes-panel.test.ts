import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Connection } from "../../src/adapters/persistence/sqlite/connection.ts";
import { NotesRepository } from "../support/notes-repository.ts";

it("a panel judges together, and its vote is derived from its members' replies", async () => {
  const shop = new NotesRepository();
  const verdict = (member: string, word: string) =>
    shop.write(
      `${member}.json`,
      JSON.stringify({ reviews: { "notes/salt.md": { "prose/calm": word } } }),
    );
  const verify = async () =>
    JSON.parse((await shop.run(["verify", "note", "--json"])).out).standings;
  try {
    shop.note("salt", "Salt is kept dry.");
    shop.gate("prose/calm", "Fail what shouts.");
    const members = ["ada", "bo", "cy"].map((name) => `"script:${name}.json"`).join(", ");
    shop.write(
      "signoff.yaml",
      `version: 1\nnotes: { panels: { legal: { models: [${members}] } } }\n`,
    );
    shop.commit();
    verdict("ada", "pass");
    verdict("bo", "warn");
    verdict("cy", "fail");
    expect((await shop.notes("status", "--panel", "legal")).out).toContain(
      "signoff notes review --panel legal",
    );
    expect(await shop.json("review", "--panel", "legal")).toMatchObject({
      actual: { runs: 3 },
      after: { stale: 0, failing: 0 },
    });
    expect(shop.read("signoff.lock")).toMatch(/\tpanel\/legal\t.*\twarn\tvote\t/);
    expect((await shop.run(["runs", "list"])).out).toContain("finished (script)");
    expect(JSON.parse((await shop.run(["runs", "list", "--json"])).out).runs).toMatchObject([
      { kind: "gate-sweep", stand_in: false, deciders: ["scripted"] },
    ]);
    expect(await shop.json("check", "--panel", "legal")).toMatchObject({ passed: true, pairs: 1 });
    expect(await verify()).toMatchObject([{ accepted: true, support: "proven" }]);
    expect((await shop.json("review", "--panel", "legal")).actual.runs).toBe(0);
    const news = async () => {
      const { findings } = await shop.json("check", "--panel", "legal", "--changed-since", "HEAD");
      return findings.filter(({ rule }: { readonly rule: string }) => rule === "lock");
    };
    const lock = shop.read("signoff.lock");
    expect(await news()).toMatchObject([
      {
        level: "note",
        message: expect.stringContaining("which follows from its members' verdicts"),
      },
    ]);
    shop.write("signoff.lock", lock.replace("\twarn\tvote\t", "\tpass\tvote\t"));
    expect(await news()).toMatchObject([
      {
        level: "warning",
        message: expect.stringContaining("but its members' verdicts come to warn"),
      },
    ]);
    shop.write("signoff.lock", lock.replace(/^.*\tfail\tfull-review\t.*\n/m, ""));
    expect(await news()).toMatchObject([
      {
        level: "note",
        message: expect.stringContaining("(attested: the lock has no verdict of script:cy"),
      },
    ]);
    shop.write("signoff.lock", lock);
    const connection = new Connection({ path: join(shop.root, ".signoff/signoff.db") });
    connection.execute("UPDATE acceptance_events SET decision = 'pass' WHERE kind = 'vote'");
    connection.close();
    shop.write(
      "signoff.lock",
      shop.read("signoff.lock").replace("\twarn\tvote\t", "\tpass\tvote\t"),
    );
    expect(await verify()).toMatchObject([
      { accepted: false, why: "filed as pass, but its reply says warn" },
    ]);
    shop.note("salt", "Salt is kept in jars.");
    verdict("bo", "fail");
    expect((await shop.json("review", "--panel", "legal")).after).toMatchObject({ failing: 1 });
    expect((await shop.notes("status", "--panel", "unknown")).code).toBe(2);
  } finally {
    shop.remove();
  }
});

/** Judges as its prompt says: "strict" fails every block, any other member passes it. Keeps each prompt. */
const judge = `#!${process.execPath}
const { appendFileSync } = require("node:fs");
let prompt = "";
process.stdin.on("data", (part) => (prompt += part)).on("end", () => {
  appendFileSync(__dirname + "/prompts.jsonl", JSON.stringify(prompt) + "\\n");
  const word = prompt.includes('You are "strict"') ? " FAIL" : " PASS";
  const asked = [...prompt.matchAll(/^(=== GATE REVIEW START .*)\\n…\\n(## Result \\w+:) …\\n(=== .*)$/gm)];
  console.log(asked.map(([, start, result, end]) => [start, result + word, end].join("\\n")).join("\\n"));
});
`;

interface Standing {
  readonly accepted: boolean;
  readonly support?: string;
  readonly missing?: readonly { readonly text: string }[];
}

it("members with names are asked in their roles, also where they share a model", async () => {
  const shop = new NotesRepository();
  const panel = async (rule: string, criteria: string) => {
    const strict = `{ name: strict, role: A lawyer, criteria: "${criteria}" }`;
    const calm = "{ name: calm, model: command/judge }";
    const notes = `notes: { models: [command/judge], panels: { legal: { rule: ${rule}, models: [${strict}, ${calm}] } } }`;
    const commands = `commands: { judge: { argv: ["${join(shop.root, "judge.cjs")}"] } }`;
    shop.write("signoff.yaml", `version: 1\n${notes}\n${commands}\n`);
    await shop.run(["trust", "--yes"]);
  };
  const review = () => shop.json("review", "--panel", "legal", "--again");
  const verify = async (): Promise<readonly Standing[]> =>
    JSON.parse((await shop.run(["verify", "note", "--json"])).out).standings.filter(
      ({ name }: { readonly name: string }) => name.includes("panel/legal"),
    );
  try {
    shop.note("salt", "Salt is kept dry.");
    shop.gate("prose/calm", "Fail what shouts.");
    shop.write("judge.cjs", judge);
    chmodSync(join(shop.root, "judge.cjs"), 0o755);
    await panel("any", "No promises.");
    shop.commit();
    const { calls } = await shop.json("review", "--panel", "legal", "--plan");
    expect(calls).toMatchObject([
      { member: "strict", model: "command/judge" },
      { member: "calm", model: "command/judge" },
    ]);
    expect(await review()).toMatchObject({ actual: { runs: 2 }, after: { failing: 1 } });
    const [strict, calm] = shop
      .read("prompts.jsonl")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as string);
    expect(strict).toContain("Your role: A lawyer");
    expect(strict).toContain("No promises.");
    expect(calm).toContain('You are "calm"');
    expect(calm).not.toContain("No promises.");
    const history = (await shop.notes("history", "notes/salt.md")).out.replace(/\s+/gu, " ");
    expect(history).toContain("rule any; approved: calm; objected: strict");
    expect((await shop.run(["runs", "list", "--all"])).out).toContain(
      "notes/salt.md: prose/calm by strict",
    );
    expect((await shop.json("status")).counts["missing-review"]).toBe(1);
    await panel("majority", "No promises.");
    expect((await shop.notes("review", "--panel", "legal")).code).toBe(1);
    await panel("any", "Some promises.");
    expect((await review()).actual.runs).toBe(2);
    const connection = new Connection({ path: join(shop.root, ".signoff/signoff.db") });
    // The reply of the lenient judge is filed for the strict one too, and the vote is turned.
    connection.execute(`UPDATE gate_reviews SET model =
      (SELECT model FROM gate_reviews WHERE model LIKE 'member/legal-strict%' ORDER BY seq DESC LIMIT 1)
      WHERE model LIKE 'member/legal-calm%'
      AND seq = (SELECT MIN(seq) FROM gate_reviews WHERE model LIKE 'member/legal-calm%')`);
    connection.execute(`DELETE FROM findings`);
    connection.execute(`DELETE FROM gate_reviews WHERE decision = 'fail'`);
    connection.execute(`UPDATE acceptance_events SET decision = 'pass' WHERE kind = 'vote'`);
    connection.close();
    shop.write("signoff.lock", "");
    const [standing] = await verify();
    expect(standing).toMatchObject({
      accepted: false,
      why: "filed as pass, but its reply is about other texts or another judge's",
      missing: [
        {
          command: "signoff notes review notes/salt.md --gate prose/calm --again --panel legal",
        },
      ],
    });
  } finally {
    shop.remove();
  }
});

it.each([
  ["[ollama/a, ollama/a]", "must not name a member twice"],
  ["[{ name: ada }, { name: ada, role: lawyer }]", "must not name a member twice"],
  ["[{ name: ada, rule: all }, ollama/a]", "rule"],
  ["[{ name: ada }]", "must name at least two members"],
])("a panel of %s is refused", async (models, problem) => {
  const shop = new NotesRepository();
  try {
    shop.write("signoff.yaml", `version: 1\nnotes: { panels: { legal: { models: ${models} } } }\n`);
    const { code, out, err } = await shop.notes("status", "--panel", "legal");
    expect(code).toBe(2);
    expect(`${out}${err}`.replace(/\s+/gu, " ")).toContain(problem);
  } finally {
    shop.remove();
  }
});
