import { beforeEach, describe, expect, it } from "vitest";
import {
  attemptEnd,
  begin,
  creatorFacts,
  happened,
  heldRun,
  recorded,
  sloganRun,
} from "../../../testing/run-store-stories.ts";
import { CommitQueue } from "../sqlite/commit-queue.ts";
import { Connection } from "../sqlite/connection.ts";
import { migrate } from "../sqlite/migrations.ts";
import { runUnit } from "../sqlite/run-unit.ts";
import { type CopyEnd, copyStore } from "./copy-store.ts";
import { migrations } from "./migrations/migrations.ts";
import { createRunStore } from "./run-store.ts";

function memoryEnd() {
  const connection = new Connection({ path: ":memory:" });
  migrate(connection, migrations);
  const end: CopyEnd = {
    snapshot: (work) => work(async (unit) => runUnit(connection, unit)),
    write: async (unit) => runUnit(connection, unit()),
  };
  return { ...end, connection, runs: createRunStore(new CommitQueue(connection)) };
}

describe("copying a store", () => {
  let from: ReturnType<typeof memoryEnd>;
  let to: ReturnType<typeof memoryEnd>;
  beforeEach(async () => {
    [from, to] = [memoryEnd(), memoryEnd()];
    // A child whose name sorts before its parent's, a long text, a reply with NUL.
    const pack = await heldRun(from.runs, "pack");
    const child = await heldRun(from.runs, "a scenario", { parent: pack.run });
    await begin(from.runs, child, {});
    const facts = { ...creatorFacts, user: "long ".repeat(20_000) };
    const call = { facts, end: attemptEnd(1) };
    await from.runs.record(child, recorded("with \0 in it"), [happened(child, 1)], call);
  });

  const rowsOf = (copied: Awaited<ReturnType<typeof copyStore>>) =>
    Object.fromEntries(
      copied
        .filter(({ rows }) => rows > 0)
        .map(({ table, rows, added }) => [table, `${added} of ${rows}`]),
    );

  it("has finished reading the source when it compares", async () => {
    let isReading = false;
    const source: CopyEnd = {
      ...from,
      async snapshot(work) {
        isReading = true;
        const result = await from.snapshot(work);
        isReading = false;
        return result;
      },
    };
    const target: CopyEnd = {
      ...to,
      snapshot(work) {
        expect(isReading).toBe(false);
        return to.snapshot(work);
      },
    };
    await copyStore(source, target);
    expect.assertions(1);
  });

  it("adds every row, children with their parents, and finds both ends equal", async () => {
    const copied = await copyStore(from, to);
    expect(copied.filter(({ isEqual }) => !isEqual)).toEqual([]);
    expect(rowsOf(copied)).toEqual({
      ...{ texts: "2 of 2", jobs: "2 of 2", runs: "2 of 2" },
      ...{ calls: "1 of 1", attempts: "1 of 1", events: "1 of 1" },
    });
    for (const name of ["pack", "a scenario"]) {
      const { run } = sloganRun(name);
      expect(await to.runs.load(run)).toEqual(await from.runs.load(run));
    }
  });

  it("adds nothing the second time", async () => {
    await copyStore(from, to);
    const again = await copyStore(from, to);
    expect(again.every(({ added, isEqual }) => added === 0 && isEqual)).toBe(true);
    expect(again.find(({ table }) => table === "runs")).toMatchObject({ rows: 2, added: 0 });
  });

  it("goes on where it was stopped", async () => {
    let writes = 0;
    const breaking: CopyEnd = {
      ...to,
      write: (unit) => {
        writes += 1;
        return writes > 3 ? Promise.reject(new Error("unplugged")) : to.write(unit);
      },
    };
    await expect(copyStore(from, breaking)).rejects.toThrow("unplugged");
    const again = await copyStore(from, to);
    expect(again.filter(({ isEqual }) => !isEqual)).toEqual([]);
    expect(rowsOf(again)).toMatchObject({ runs: "0 of 2", calls: "1 of 1" });
    const child = await to.runs.load(sloganRun("a scenario").run);
    expect(child?.parent).toBe(sloganRun("pack").run);
  });

  it("reports what the target held before, and what it holds otherwise", async () => {
    to.connection.run("INSERT INTO stages (folder, data) VALUES ('other', '{}')");
    const person =
      "INSERT INTO people (name, role, token_digest, added_at) VALUES ('Ada', ?, '', '')";
    from.connection.run(person, "editor");
    to.connection.run(person, "reader");
    const copied = await copyStore(from, to);
    const different = copied.filter(({ isEqual }) => !isEqual).map(({ table }) => table);
    expect(different).toEqual(["stages", "people"]);
  });

  it("copies tables of many pages, and says how far it is", async () => {
    const rows = 1_203;
    for (let number = 0; number < rows; number += 1)
      from.connection.run("INSERT INTO stages (folder, data) VALUES (?, '{}')", `stage ${number}`);
    const progress: string[] = [];
    const copied = await copyStore(from, to, (table, count) => progress.push(`${table} ${count}`));
    expect(copied.find(({ table }) => table === "stages")).toEqual({
      ...{ table: "stages", rows, added: rows, isEqual: true },
    });
    expect(progress.filter((line) => line.startsWith("stages"))).toEqual([
      "stages 500",
      "stages 1000",
      "stages 1203",
    ]);
  });
});
