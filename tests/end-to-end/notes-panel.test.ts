import { join } from "node:path";
import { expect, it } from "vitest";
import { Connection } from "../../src/adapters/persistence/sqlite/connection.ts";
import { NotesRepository } from "../support/notes-repository.ts";

it("a panel judges together, and its vote is derived from its members' replies", () => {
  const shop = new NotesRepository();
  const verdict = (member: string, word: string) =>
    shop.write(
      `${member}.json`,
      JSON.stringify({ reviews: { "notes/salt.md": { "prose/calm": word } } }),
    );
  const verify = () => JSON.parse(shop.run(["verify", "note", "--json"]).out).standings;
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
    expect(shop.notes("status", "--panel", "legal").out).toContain(
      "signoff notes review --panel legal",
    );
    expect(shop.json("review", "--panel", "legal")).toMatchObject({
      actual: { runs: 3 },
      after: { stale: 0, failing: 0 },
    });
    expect(shop.read("signoff.lock")).toMatch(/\tpanel\/legal\t.*\twarn\tvote\t/);
    expect(shop.run(["runs", "list"]).out).toContain("finished (script)");
    expect(JSON.parse(shop.run(["runs", "list", "--json"]).out).runs).toMatchObject([
      { kind: "gate-sweep", stand_in: false, deciders: ["scripted"] },
    ]);
    expect(shop.json("check", "--panel", "legal")).toMatchObject({ passed: true, pairs: 1 });
    expect(verify()).toMatchObject([{ accepted: true, support: "proven" }]);
    expect(shop.json("review", "--panel", "legal").actual.runs).toBe(0);
    const connection = new Connection({ path: join(shop.root, ".signoff/signoff.db") });
    connection.execute("UPDATE acceptance_events SET decision = 'pass' WHERE kind = 'vote'");
    connection.close();
    shop.write(
      "signoff.lock",
      shop.read("signoff.lock").replace("\twarn\tvote\t", "\tpass\tvote\t"),
    );
    expect(verify()).toMatchObject([
      { accepted: false, why: "filed as pass, but its reply says warn" },
    ]);
    shop.note("salt", "Salt is kept in jars.");
    verdict("bo", "fail");
    expect(shop.json("review", "--panel", "legal").after).toMatchObject({ failing: 1 });
    expect(shop.notes("status", "--panel", "nobody").code).toBe(2);
  } finally {
    shop.remove();
  }
});
