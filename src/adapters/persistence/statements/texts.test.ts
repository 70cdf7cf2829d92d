import { describe, expect, it } from "vitest";
import {
  attemptEnd,
  begin,
  creatorFacts,
  happened,
  heldRun,
  minute,
  recorded,
  sloganRun,
} from "../../../testing/run-store-stories.ts";
import { CommitQueue } from "../sqlite/commit-queue.ts";
import { Connection } from "../sqlite/connection.ts";
import { migrate } from "../sqlite/migrations.ts";
import { runUnit } from "../sqlite/run-unit.ts";
import { findDamage } from "./find-damage.ts";
import { migrations } from "./migrations/migrations.ts";
import { createRunStore } from "./run-store.ts";
import { decodeText, encodeText, findText, keepText, placeText, storedJson } from "./texts.ts";

describe("a text in the store", () => {
  it.each(["The shop bakes\nat night.", 'Say "warm".', 'Say "warm"', "Хлеб 🥖", "", "{}"])(
    "is stored verbatim: %j",
    (text) => {
      expect(encodeText(text)).toBe(text);
      expect(decodeText(text)).toBe(text);
    },
  );

  it.each(['"Warm", they say.', '"Warm."', "a \0 b", "🥖".slice(0, 1)])(
    "is stored as JSON if it could be mistaken or damaged: %j",
    (text) => {
      expect(JSON.parse(encodeText(text))).toBe(text);
      expect(decodeText(encodeText(text))).toBe(text);
    },
  );
});

function opened() {
  const connection = new Connection({ path: ":memory:" });
  migrate(connection, migrations);
  return { connection, runs: createRunStore(new CommitQueue(connection)) };
}

describe("a long text", () => {
  it("begins at 32,768 characters and leaves its row", () => {
    expect(placeText("a".repeat(32_767))).toMatchObject({ inline: "a".repeat(32_767), text: null });
    expect(placeText("a".repeat(32_768))).toMatchObject({ inline: null, long: "a".repeat(32_768) });
  });

  it.each([
    ["is compressed", "bread ".repeat(10_000), true],
    ["is compressed if it contains NUL, however short", "a \0 b", true],
    ["is kept as it is if it is short", "bread", false],
  ])("%s", (_title, text, isDeflated) => {
    const { connection } = opened();
    const digest = runUnit(connection, keepText(text));
    expect(runUnit(connection, keepText(text))).toBe(digest);
    const rows = connection.all("SELECT plain IS NULL AS is_deflated FROM texts");
    expect(rows).toEqual([{ is_deflated: isDeflated ? 1 : 0 }]);
    expect(runUnit(connection, findText(digest))).toBe(text);
  });

  it("that is missing or cannot be read says that the store is damaged", () => {
    const { connection } = opened();
    const damaged = expect.objectContaining({ code: "store-damaged" });
    const digest = runUnit(connection, keepText("bread ".repeat(10_000)));
    connection.run("UPDATE texts SET deflated = x'ff00ff'");
    expect(() => runUnit(connection, findText(digest))).toThrow(damaged);
    connection.run("DELETE FROM texts");
    expect(() => runUnit(connection, findText(digest))).toThrow(damaged);
    expect(() => storedJson("{")).toThrow(damaged);
  });

  it("that is named and missing is found, whatever names it", async () => {
    const { connection, runs } = opened();
    const long = "bread ".repeat(10_000);
    const job = { ...sloganRun("slogan").job, input: long };
    await runs.create({ ...sloganRun("long input"), job: { ...job, id: "long input" } });
    const lease = await heldRun(runs, "slogan");
    await begin(runs, lease, {});
    const facts = { ...creatorFacts, user: `${long}user`, system: `${long}system` };
    const call = { facts, end: attemptEnd(1) };
    await runs.record(lease, recorded(`${long}reply`), [happened(lease, 1, `${long}event`)], call);
    await runs.end(lease, { kind: "finished", result: `${long}ending` }, [], minute(3));
    connection.execute("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON");
    connection.run(`INSERT INTO blob_texts (blob, content_text) VALUES ('blob', 'content')`);
    expect(runUnit(connection, findDamage())).toEqual([
      "blob_texts names the text content, which is missing",
    ]);
    connection.run("DELETE FROM blob_texts");
    const { texts } =
      connection.get<{ texts: number }>("SELECT COUNT(*) AS texts FROM texts") ?? {};
    connection.run("DELETE FROM texts");
    const found = runUnit(connection, findDamage());
    expect(found.map((line) => line.replace(/ names .*/u, "")).sort()).toEqual(
      ["calls", "calls", "calls", "events", "jobs", "runs"].slice(0, texts),
    );
  });
});
