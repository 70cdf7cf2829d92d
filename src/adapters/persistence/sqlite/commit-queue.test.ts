import { describe, expect, it } from "vitest";
import { all, change } from "../statements/unit.ts";
import { CommitQueue } from "./commit-queue.ts";
import { Connection } from "./connection.ts";

function shelf() {
  const connection = new Connection({ path: ":memory:" });
  connection.execute("CREATE TABLE breads (name TEXT NOT NULL PRIMARY KEY) STRICT");
  const queue = new CommitQueue(connection);
  const bake = (name: string) =>
    queue.write("durable", () => change("INSERT INTO breads (name) VALUES (?)", name));
  const names = () =>
    connection.all<{ name: string }>("SELECT name FROM breads ORDER BY name").map((b) => b.name);
  return { connection, queue, bake, names };
}

describe("the commit queue", () => {
  it("undoes only the work that fails", async () => {
    const { bake, names } = shelf();
    const all = await Promise.allSettled([bake("rye"), bake("rye"), bake("wheat")]);
    expect(all.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(names()).toEqual(["rye", "wheat"]);
    await expect(bake("rye")).rejects.toMatchObject({ code: "SQLITE_CONSTRAINT_PRIMARYKEY" });
    await expect(bake("oat")).resolves.toBe(1);
  });

  it("fails with a name when there is no room, and works again when there is", async () => {
    const { connection, queue, bake, names } = shelf();
    const pages = connection.get<{ page_count: number }>("PRAGMA page_count")?.page_count ?? 0;
    connection.execute(`PRAGMA max_page_count = ${pages + 3}`);
    const huge = queue.write("quick", () =>
      change("INSERT INTO breads (name) VALUES (?)", "sourdough".repeat(10_000)),
    );
    const beside = bake("rye");
    await expect(huge).rejects.toMatchObject({ code: "store-full" });
    const wasKept = await beside.then(
      () => true,
      () => false,
    );
    expect(names().includes("rye")).toBe(wasKept);
    connection.execute("PRAGMA max_page_count = 100000");
    await bake("wheat");
    expect(names()).toContain("wheat");
    expect(connection.isInTransaction).toBe(false);
  });

  it("lets a transaction finish before what came after it, in order", async () => {
    const { queue, bake, names } = shelf();
    const seen: string[][] = [];
    await Promise.all([
      bake("first"),
      queue.exclusive(async (connection) => {
        connection.run("INSERT INTO breads (name) VALUES ('second')");
        await new Promise((resolve) => setImmediate(resolve));
        seen.push(names());
      }),
      bake("third"),
    ]);
    expect(seen.flat()).toContain("second");
    expect(names()).toEqual(["first", "second", "third"]);
  });

  it("shows readers what is committed only, and what waited for a transaction right after it", async () => {
    const { queue, bake } = shelf();
    const read = () => queue.read(() => all<{ name: string }>("SELECT name FROM breads"));
    const begun = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const failing = queue.exclusive(async (connection) => {
      connection.run("INSERT INTO breads (name) VALUES ('burnt')");
      begun.resolve();
      await goOn.promise;
      throw new Error("smoke");
    });
    await begun.promise;
    const [seen, reading] = [read(), queue.reading(async (one) => one.all("SELECT * FROM breads"))];
    const waiting = bake("rye");
    goOn.resolve();
    await expect(failing).rejects.toThrow("smoke");
    const settled = await Promise.race([waiting, new Promise((resolve) => setImmediate(resolve))]);
    expect(settled).toBe(1);
    for (const rows of [await seen, await reading])
      expect(rows).not.toContainEqual({ name: "burnt" });
  });

  it("continues after a failed transaction", async () => {
    const { queue, bake, names } = shelf();
    const failing = queue.exclusive(async (connection) => {
      connection.run("INSERT INTO breads (name) VALUES ('burnt')");
      throw new Error("smoke");
    });
    const following = bake("rye");
    await expect(failing).rejects.toThrow("smoke");
    await following;
    expect(names()).toEqual(["rye"]);
  });
});
