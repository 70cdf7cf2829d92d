import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { emptySchema } from "../../../../tests/support/empty-schema.ts";
import { execute } from "../../../../tests/support/postgres.ts";
import { get } from "../statements/unit.ts";
import { openPostgres, withClient } from "./open-postgres.ts";

const emptied = emptySchema();

/** Like pgbouncer as it is installed: a connection that brings parameters of its own in `options` is refused. */
async function plainPooler(url: string): Promise<string> {
  const { port, hostname } = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) sockets.add(socket.on("error", () => undefined));
    near.once("data", (startup) => {
      if (startup.includes("\0options\0")) return near.destroy();
      far.write(startup);
      near.pipe(far);
    });
    far.pipe(near);
    near.on("close", () => far.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const near = new URL(url);
  near.port = String((server.address() as AddressInfo).port);
  return near.href;
}

it("works through a pooler that passes no parameters on, and still commits to the disk", async () => {
  const { url, schema } = await emptied();
  const name = new URL(url).pathname.slice(1);
  await execute(url, `ALTER DATABASE ${name} SET synchronous_commit = off`);
  const location = { url: await plainPooler(url), schema };
  const setting =
    "SELECT current_setting('synchronous_commit') AS sync, current_schema() AS schema";
  const expected = { sync: "on", schema };
  const { rows } = await withClient(location, (client) => client.query(setting));
  expect(rows).toEqual([expected]);
  const store = await openPostgres({ ...location, connections: 2 });
  onTestFinished(() => store.close());
  const reads = [1, 2].map(() => store.database.read(() => get(setting)));
  expect(await Promise.all(reads)).toEqual([expected, expected]);
});
