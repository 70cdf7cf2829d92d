import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { emptySchema } from "../../../../tests/support/empty-schema.ts";
import { type PostgresServer, startPostgres } from "../../../../tests/support/postgres.ts";
import { runId } from "../../../domain/values/ids.ts";
import { runStoreConformance } from "../../../testing/run-store-conformance.ts";
import { heldRun, minute, recorded, sloganRun } from "../../../testing/run-store-stories.ts";
import { storeConformance } from "../../../testing/store-conformance.ts";
import { migratePostgres } from "./migrate.ts";
import { openPostgres, withClient } from "./open-postgres.ts";

const emptied = emptySchema();

/** Where a connection is cut: before its COMMIT reaches the server, or before the answer reaches us. */
type Cut = "before" | "after";

interface CuttingProxy {
  readonly url: string;
  readonly cuts: readonly Cut[];
}

/** Stands between store and server and cuts every other COMMIT, in turn on either side of it. */
async function cuttingProxy(url: string): Promise<CuttingProxy> {
  const { port, hostname } = new URL(url);
  const cuts: Cut[] = [];
  let commits = 0;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    let isCutting = false;
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => undefined);
    }
    const hangUp = (cut: Cut): void => {
      cuts.push(cut);
      near.destroy();
      far.destroy();
    };
    near.on("data", (bytes) => {
      if (bytes.includes("COMMIT\0")) {
        commits += 1;
        if (commits % 4 === 1) return hangUp("before");
        isCutting = commits % 4 === 3;
      }
      far.write(bytes);
    });
    far.on("data", (bytes) => {
      if (isCutting) return hangUp("after");
      near.write(bytes);
    });
    near.on("close", () => far.destroy());
    far.on("close", () => near.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const near = new URL(url);
  near.port = String((server.address() as AddressInfo).port);
  return { url: near.href, cuts };
}

/** A new schema of its own. */
async function prepared(url: string) {
  const location = { url, schema: `signoff_${randomUUID()}` };
  await withClient(location, (client) => migratePostgres(client, location.schema));
  return location;
}

/** A store whose connections break in half of all commits. */
async function shaky() {
  const location = await emptied();
  const proxy = await cuttingProxy(location.url);
  const store = await openPostgres({ ...location, url: proxy.url, connections: 4 });
  onTestFinished(() => store.close());
  return { store, cuts: proxy.cuts };
}

describe("a store whose connection is lost during COMMIT, again and again", () => {
  for (const { title, run } of runStoreConformance) {
    it(title, async () => {
      const { store } = await shaky();
      await run(store.runs);
    });
  }
  for (const { title, run } of storeConformance) {
    it(title, async () => {
      const { store } = await shaky();
      await run(store);
    });
  }

  it("counts an act of a person once, on whichever side of the COMMIT it broke", async () => {
    const { store, cuts } = await shaky();
    const ruling = { run: runId("slogan"), act: "approve", by: "Ada", knownHow: "flag" } as const;
    for (let time = 1; time <= 8; time += 1) {
      await store.transaction(({ rulings }) => rulings.append({ ...ruling, at: minute(time) }));
    }
    const kept = await store.read(({ rulings }) => rulings.of(runId("slogan")));
    expect(kept.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(new Set(cuts)).toEqual(new Set(["before", "after"]));
  });
});

describe("a database that goes away", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.remove());

  it("is waited for, and what was recorded is still there", async () => {
    const location = await prepared(server.url);
    const store = await openPostgres({ ...location, connections: 4 });
    onTestFinished(() => store.close());
    const lease = await heldRun(store.runs, "slogan");
    await store.runs.record(lease, recorded("kept"), []);
    await server.kill();
    const meanwhile = store.runs.load(lease.run);
    await server.start();
    expect((await meanwhile)?.state).toBe("running");
    expect(await store.runs.find(lease.run, recorded("").key)).toEqual(recorded("kept"));
  });

  it("is reported in one sentence that names it and never the password", async () => {
    const location = await emptied();
    const { port } = new URL(location.url);
    const away = { ...location, url: `postgresql://ada:geheim@127.0.0.1:1/shop` };
    const refused = openPostgres(away);
    await expect(refused).rejects.toMatchObject({
      code: "store-away",
      message: expect.stringContaining("127.0.0.1:1/shop"),
    });
    await expect(refused).rejects.not.toMatchObject({ message: expect.stringContaining("geheim") });
    const missing = { ...location, url: `postgresql://postgres@127.0.0.1:${port}/no_such` };
    await expect(openPostgres(missing)).rejects.toMatchObject({ code: "store-refused" });
  });

  it("is named as the usual variables name it", async () => {
    vi.stubEnv("PGHOST", "127.0.0.1");
    vi.stubEnv("PGPORT", "1");
    vi.stubEnv("PGDATABASE", "shop");
    onTestFinished(() => void vi.unstubAllEnvs());
    const location = { url: "postgresql://", schema: "signoff_test" };
    await expect(openPostgres(location)).rejects.toThrow("127.0.0.1:1/shop, schema signoff_test");
  });

  it("gives up when patience ends, and works again when it is back", async () => {
    const location = await prepared(server.url);
    const store = await openPostgres({ ...location, patienceMillis: 1 });
    onTestFinished(() => store.close());
    await server.kill();
    await expect(store.runs.create(sloganRun("slogan"))).rejects.toMatchObject({
      code: "store-away",
      retryable: true,
    });
    await server.start();
    expect((await store.runs.create(sloganRun("slogan"))).state).toBe("queued");
  });
});

it("two projects in one database see nothing of each other", async () => {
  const first = await emptied();
  const [one, other] = await Promise.all(
    [first, await prepared(first.url)].map(async (location) => {
      const store = await openPostgres({ ...location, connections: 2 });
      onTestFinished(() => store.close());
      return store;
    }),
  );
  await one?.runs.create(sloganRun("slogan"));
  expect(await other?.runs.load(runId("slogan"))).toBeUndefined();
});

it("a user without rights gets one sentence", async () => {
  const location = await emptied();
  await withClient(location, async (client) => {
    await client.query("CREATE ROLE reader LOGIN").catch(() => undefined);
    await client.query(`GRANT USAGE ON SCHEMA "${location.schema}" TO reader`);
    await client.query(`GRANT SELECT ON ALL TABLES IN SCHEMA "${location.schema}" TO reader`);
  });
  const url = new URL(location.url);
  url.username = "reader";
  const store = await openPostgres({ ...location, url: url.href, connections: 2 });
  onTestFinished(() => store.close());
  await expect(store.runs.create(sloganRun("slogan"))).rejects.toMatchObject({
    code: "store-forbidden",
  });
});

it("a reply is kept for as long as the database refuses it, where that is wanted", async () => {
  const location = await emptied();
  const role = `writer_${randomUUID().replaceAll("-", "")}`;
  const rights = (change: string) =>
    withClient(location, (client) => client.query(change.replace("ROLE", role)));
  await withClient(location, (client) => client.query(`CREATE ROLE ${role} LOGIN`));
  await withClient(location, (client) => migratePostgres(client, location.schema, { grant: role }));
  onTestFinished(async () => {
    await withClient(location, (client) =>
      client.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`),
    );
  });
  const url = new URL(location.url);
  url.username = role;
  const heard: string[] = [];
  const store = await openPostgres({
    ...{ ...location, url: url.href, connections: 2 },
    refused: ({ message }) => heard.push(message),
  });
  onTestFinished(() => store.close());
  const lease = await heldRun(store.runs, "slogan");
  await rights("REVOKE INSERT ON calls FROM ROLE");
  const kept = store.runs.record(lease, recorded("paid"), []);
  await vi.waitUntil(() => heard.length > 1);
  await rights("GRANT INSERT ON calls TO ROLE");
  await kept;
  expect(heard[0]).toContain("lacks a right");
  expect(await store.runs.find(lease.run, recorded("paid").key)).toEqual(recorded("paid"));
});
