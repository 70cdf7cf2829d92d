import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Connection } from "../../src/adapters/persistence/sqlite/connection.ts";
import { NotesRepository } from "../support/notes-repository.ts";

let shop: NotesRepository;
const byScript = ["--script", "reviews.json"];
const pair = "notes/salt.md:prose/calm";
const loud =
  "### Findings\n\n- fail: shouts\n  > SALT is kept\n- warn: dull\n  > dry\n\n## Result {{code}}: FAIL";

beforeEach(async () => {
  shop = new NotesRepository();
  shop.note("salt", "SALT is kept here.\n\nIt stays dry.");
  shop.gate("prose/calm", "Fail what shouts.");
  shop.write("signoff.yaml", "version: 1\n");
  shop.write(".gitignore", ".signoff/\nreviews.json\n");
  shop.commit();
  await review(loud);
});
afterEach(() => shop.remove());

function review(text: string) {
  const reviews = { "notes/salt.md": { "prose/calm": text } };
  shop.write("reviews.json", JSON.stringify({ reviews }));
  return shop.json("review", ...byScript);
}
const ids = async () =>
  (await shop.json("warns", "--dismissed")).notes[0].findings.map(
    ({ fingerprint }: { fingerprint: string }) => fingerprint,
  );
const dismiss = (id: string, ...more: string[]) =>
  shop.notes("dismiss", id, "--reason", "a label", ...more);
const status = () => shop.json("status", ...byScript);
const check = () => shop.json("check", ...byScript);
const verify = async () =>
  JSON.parse((await shop.run(["verify", "note", "--json"])).out).standings[0];
const change = (sql: string) => {
  const connection = new Connection({ path: join(shop.root, ".signoff/signoff.db") });
  connection.execute(sql);
  connection.close();
};

describe("a dismissed finding", () => {
  it("leaves the verdict to the worst finding that is not dismissed, also in a clone", async () => {
    const [first, second] = await ids();
    expect(await check()).toMatchObject({ passed: false, failing: 1 });
    await dismiss(first);
    expect(await status()).toMatchObject({ fresh: { warn: 1, fail: 0 }, ruled: { dismissed: 1 } });
    await dismiss(second);
    expect((await status()).fresh).toEqual({ pass: 1, warn: 0, fail: 0 });
    expect((await shop.notes("warns")).code).toBe(0);
    expect(await verify()).toMatchObject({
      accepted: true,
      support: "proven",
      deciders: ["scripted", "person"],
    });
    rmSync(join(shop.root, ".signoff"), { recursive: true });
    expect(await check()).toMatchObject({ passed: true, support: "attested" });
    expect(await verify()).toMatchObject({ accepted: true, support: "attested" });
    const sarif = JSON.parse((await shop.notes("check", ...byScript, "--format", "sarif")).out);
    expect(sarif.runs[0].results[0].suppressions[0].justification).toContain("ada: a label");
  });

  it("counts again when its paragraph changes, and not when another does", async () => {
    for (const id of await ids()) await dismiss(id);
    shop.note("salt", "SALT is kept here.\n\nIt stays dry in jars.");
    await review(loud);
    expect((await status()).fresh).toEqual({ pass: 0, warn: 1, fail: 0 });
    shop.note("salt", "SALT is kept there.\n\nIt stays dry in jars.");
    await review(loud);
    expect((await status()).fresh).toEqual({ pass: 0, warn: 0, fail: 1 });
    expect(shop.read("signoff.rulings").split("\n")).toHaveLength(3);
  });

  it("follows its note when that is moved, and counts again after its last day", async () => {
    const [first] = await ids();
    const late = await dismiss(first, "--expires", "2001-01-01");
    expect(late).toMatchObject({ code: 2, err: expect.stringContaining("is in the past") });
    expect((await dismiss(first, "--expires", "soon")).code).toBe(2);
    await dismiss(first, "--expires", "2999-12-31");
    expect((await status()).fresh.fail).toBe(0);
    shop.write("signoff.rulings", shop.read("signoff.rulings").replace("2999-", "2001-"));
    expect((await status()).fresh.fail).toBe(1);
    await dismiss(first);
    shop.commit("Rule");
    await shop.notes("mv", "notes/salt.md", "notes/pepper.md", "--apply");
    expect(await status()).toMatchObject({ stale: [], fresh: { warn: 1, fail: 0 } });
    expect(shop.read("signoff.rulings")).not.toContain("notes/salt.md");
  });
});

describe("an overridden verdict", () => {
  it("is needed where a FAIL names no finding, and holds for these versions only", async () => {
    shop.note("salt", "SALT!");
    await review("It shouts.\n\n## Result {{code}}: FAIL");
    const [id] = await ids();
    const refused = await dismiss(id);
    expect(refused.code).toBe(2);
    expect(refused.err.replaceAll(/\s+/g, " ")).toContain(
      `signoff notes override ${pair} --to pass`,
    );
    const override = ["override", pair, "--to", "pass", "--reason", "a joke", ...byScript];
    expect((await shop.notes(...override)).code).toBe(0);
    expect(await check()).toMatchObject({ passed: true, failing: 0 });
    expect((await shop.notes("warns")).code).toBe(0);
    expect(await verify()).toMatchObject({ accepted: true, deciders: ["person"] });
    shop.note("salt", "SALT!!");
    expect((await status()).counts["note-changed"]).toBe(1);
    expect((await shop.notes(...override)).code).toBe(2);
  });
});

it("an acknowledged finding is still current work, not outdated", async () => {
  shop.note("salt", "SALT is kept here.\n\nIt stays quite dry.");
  await shop.notes("ack", pair, "--reason", "one word", ...byScript);
  expect(await status()).toMatchObject({
    stale: [],
    ruled: { acknowledged: 1 },
    fresh: { fail: 1 },
  });
  const { findings } = (await shop.json("warns")).notes[0];
  expect(findings).toHaveLength(2);
  expect(findings[0].outdated).toBeUndefined();
});

describe("a cheat is refused", () => {
  it("an edited verdict in store and lock, against its reply", async () => {
    change("UPDATE acceptance_events SET decision = 'pass'");
    change("UPDATE gate_reviews SET decision = 'pass'");
    shop.write("signoff.lock", shop.read("signoff.lock").replace("\tfail\t", "\tpass\t"));
    const { accepted, why, missing } = await verify();
    expect({ accepted, why }).toEqual({
      accepted: false,
      why: "filed as pass, but its reply says fail",
    });
    const words = missing[0].command
      .match(/"[^"]*"|\S+/g)
      .map((one: string) => one.replaceAll('"', ""));
    expect((await shop.run(words.slice(1))).code).toBe(0);
    expect((await verify()).why).toBe("the verdict is fail");
  });

  it("an acceptance moved to the present version without a review of it", async () => {
    await review("pass");
    shop.note("salt", "Nobody has read this.");
    const blob = shop.git("hash-object", "notes/salt.md").trim();
    change(`UPDATE acceptance_events SET note_blob = '${blob}', decision = 'pass'`);
    rmSync(join(shop.root, "signoff.lock"));
    const { why, missing } = await verify();
    expect(why).toBe("filed as pass, but its reply is about other texts");
    const command = `${missing[0].command}`.split(" ").slice(1);
    expect(command).toContain("--again");
    await shop.run(command);
    expect(await verify()).toMatchObject({ accepted: true, support: "proven" });
  });

  it("a store row set to pass while the committed lock says fail", async () => {
    change("UPDATE acceptance_events SET decision = 'pass'");
    expect((await status()).fresh).toEqual({ pass: 0, warn: 0, fail: 1 });
  });

  it("a deleted ruling, and one that is damaged", async () => {
    for (const id of await ids()) await dismiss(id);
    shop.commit("Rule");
    shop.write("signoff.rulings", shop.read("signoff.rulings").split("\n").slice(1).join("\n"));
    const since = await shop.json("check", ...byScript, "--changed-since", "HEAD");
    expect(since.findings).toContainEqual(
      expect.objectContaining({ message: expect.stringContaining("deleted ruling") }),
    );
    shop.write("signoff.rulings", "notes/salt.md\tprose/calm\toverride\tpass\n");
    expect(await check()).toMatchObject({ passed: false, failing: 1 });
    const refused = await dismiss((await ids())[0]);
    expect(refused.code).toBe(2);
    expect(refused.err.replaceAll(/\s+/g, " ")).toContain(
      "signoff.rulings cannot be changed: line 1",
    );
    expect(existsSync(join(shop.root, "signoff.rulings"))).toBe(true);
  });

  it("a ruling without an author or a reason", async () => {
    await dismiss((await ids())[0]);
    const [line = ""] = shop.read("signoff.rulings").split("\n");
    shop.write("signoff.rulings", `${line.split("\t").slice(0, -1).join("\t")}\t\n`);
    expect((await check()).findings).toContainEqual(
      expect.objectContaining({ rule: "lock", note: "signoff.rulings" }),
    );
    expect((await dismiss((await ids())[0], "--by", " ")).code).not.toBe(0);
  });
});
