import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, inject, it, onTestFinished, vi } from "vitest";
import { openTeam, type Team } from "../support/cluster.ts";
import { submitDrafts, tally, untilFinished } from "../support/cluster-drill.ts";
import { type CountingModels, openCountingModels } from "../support/counting-models.ts";
import { createDatabase, execute, startPostgres } from "../support/postgres.ts";

async function models(latency: number): Promise<CountingModels> {
  const opened = await openCountingModels(latency);
  onTestFinished(() => opened.close());
  return opened;
}

async function team(database: string, asked: CountingModels): Promise<Team> {
  const opened = openTeam({ database, models: asked.url });
  onTestFinished(() => opened.close());
  const { code, output } = await opened.run("store", "migrate");
  expect(output).toContain("is ready");
  expect(code).toBe(0);
  return opened;
}

async function database(): Promise<string> {
  const created = await createDatabase(inject("postgres"));
  onTestFinished(() => created.drop());
  return created.url;
}

/** The worker that has something to do, by its last report. */
async function busyOf(shop: Team): Promise<string | undefined> {
  const { output } = await shop.run("workers", "--json");
  const workers = JSON.parse(output) as readonly { name: string; runs: readonly unknown[] }[];
  return workers.find(({ runs }) => runs.length > 0)?.name;
}

/** As `signoff store migrate` has written it. */
function projectOf(shop: Team): string {
  const settings = readFileSync(join(shop.folder, "signoff.yaml"), "utf8");
  return /^project: (\S+)$/mu.exec(settings)?.[1] ?? "";
}

const patient = { timeout: 60_000 };
const drafting = ["draft", "a lamp that folds flat", "--model", "ollama/shop"] as const;

describe("signoff worker", () => {
  it("finishes what a killed worker began, and the command follows it all the time", async () => {
    const asked = await models(5);
    asked.hold();
    const shop = await team(await database(), asked);
    const one = await shop.startWorker("one");
    const two = await shop.startWorker("two");
    const following = shop.start(...drafting);
    await vi.waitUntil(() => asked.asked.length === 1, patient);
    const busyName = await vi.waitUntil(async () => busyOf(shop), patient);
    const [busy, other] = busyName === "one" ? [one, two] : [two, one];
    busy.child.kill("SIGKILL");
    await vi.waitUntil(() => asked.asked.length === 2, patient);
    asked.release();
    expect(await following.ended).toBe(0);
    expect(following.output()).toContain("Approved after 1 turn");
    expect(other.output()).toContain("is gone; its runs continue elsewhere.");
    // The call in flight was asked again, and nothing else.
    expect(asked.asked).toHaveLength(3);
    expect(await tally(shop)).toMatchObject({ finished: 1, recorded: 2, replied: 2, lost: 1 });
  });

  it("lets the command be closed and followed again, and drains on SIGTERM", async () => {
    const asked = await models(5);
    asked.hold();
    const shop = await team(await database(), asked);
    const one = await shop.startWorker("one");
    const first = shop.start(...drafting);
    await vi.waitUntil(() => asked.asked.length === 1, patient);
    first.child.kill("SIGINT");
    expect(await first.ended).toBe(130);
    expect(first.output().replace(/\s+/gu, " ")).toContain("continues on the workers");
    expect(first.output()).not.toContain("in flight");
    const again = shop.start(...drafting);
    await vi.waitUntil(() => again.output().includes("Resuming unfinished run"), patient);
    asked.release();
    expect(await again.ended).toBe(0);
    expect(asked.asked).toHaveLength(2);
    one.child.kill("SIGTERM");
    expect(await one.ended).toBe(0);
    expect(one.output()).not.toContain("was lost");
    expect((await shop.run("workers")).output).toContain("No worker is running.");
  });

  it("counts as gone at once when it is killed", async () => {
    const shop = await team(await database(), await models(5));
    const one = await shop.startWorker("one");
    expect((await shop.run("workers")).output).not.toContain("gone");
    one.child.kill("SIGKILL");
    await one.ended;
    const { output } = await shop.run("workers");
    expect(output).toMatch(/one: .+, gone/u);
    expect(output).toContain("No worker is running.");
    const following = shop.start(...drafting);
    await vi.waitUntil(() => following.output().includes("No worker is running"), patient);
  });

  it("ends in one sentence on a wrong port, and says what it serves in vain", async () => {
    const shop = await team(await database(), await models(5));
    const wrong = await shop.run("worker", "--health-port", "99999");
    expect(wrong).toMatchObject({ code: 2, output: expect.stringMatching(/from\s0\sto\s65535/u) });
    const one = await shop.startWorker("one", "--project", "bakery", "--health-port", "0");
    expect(one.output()).toMatch(/has\sno\sschema\ssignoff_bakery/u);
    const taken = createServer().listen(0);
    onTestFinished(() => void taken.close());
    await once(taken, "listening");
    const { port } = taken.address() as AddressInfo;
    const second = await shop.run("worker", "--health-port", String(port));
    expect(second).toMatchObject({ code: 2, output: expect.stringMatching(/is\sin\suse/u) });
  });

  it("works for a role that may only read and write rows, and so does the command", async () => {
    const asked = await models(5);
    const url = await database();
    const shop = await team(url, asked);
    const role = `app_${randomUUID().replaceAll("-", "")}`;
    await execute(url, `CREATE ROLE ${role} LOGIN`);
    onTestFinished(async () => {
      await execute(url, `DROP OWNED BY ${role}`);
      await execute(url, `DROP ROLE ${role}`);
    });
    const its = new URL(url);
    its.username = role;
    const app = { env: { SIGNOFF_DATABASE_URL: its.href } };
    const refused = await shop.runWith(app, "store", "migrate");
    expect(refused.code, refused.output).toBe(5);
    expect(await shop.run("store", "migrate", "--grant", role)).toMatchObject({ code: 0 });
    const worker = openTeam({ database: its.href, models: asked.url });
    onTestFinished(() => worker.close());
    await worker.startWorker("one");
    const { code, output } = await shop.runWith(app, ...drafting);
    expect(code, output).toBe(0);
    expect(asked.asked).toHaveLength(2);
  });

  it("leaves runs of another version alone until a person moves them to its own", async () => {
    const asked = await models(5);
    const url = await database();
    const shop = await team(url, asked);
    await submitDrafts(shop, 1);
    const { output: listed } = await shop.run("runs", "list", "--json");
    const {
      runs: [{ run_id: run }],
    } = JSON.parse(listed) as { runs: readonly [{ run_id: string }] };
    const table = `"signoff_${projectOf(shop)}".runs`;
    await execute(url, `UPDATE ${table} SET task = 'execute-0', state = state`);
    await shop.startWorker("new");
    await submitDrafts(shop, 1);
    expect(await untilFinished(shop, 1)).toMatchObject({ runs: 2, finished: 1 });
    const doctor = await shop.run("doctor");
    expect(doctor.output.replace(/\s+/gu, " ")).toContain(
      `1 queued run may be taken by no worker that is running: ${run}.`,
    );
    const { code, output } = await shop.run("runs", "resume", run, "--accept-changes");
    expect(code, output).toBe(0);
    expect(await tally(shop)).toMatchObject({ runs: 2, finished: 2 });
  });

  it("serves only the projects it is given, and projects see nothing of each other", async () => {
    const asked = await models(5);
    const url = await database();
    const shop = await team(url, asked);
    const press = await team(url, asked);
    await submitDrafts(shop, 2);
    await submitDrafts(press, 3);
    await shop.startWorker("shop", "--project", projectOf(shop));
    expect(await untilFinished(shop, 2)).toMatchObject({ runs: 2, finished: 2 });
    expect(await tally(press)).toMatchObject({ runs: 3, finished: 0 });
    await press.startWorker("any");
    expect(await untilFinished(press, 3)).toMatchObject({ runs: 3, finished: 3 });
  });
});

it("nothing is lost or asked twice when workers and the database are killed", async () => {
  const server = await startPostgres();
  onTestFinished(() => server.remove());
  const asked = await models(20);
  const shop = await team(server.url, asked);
  const count = 60;
  const workers = await Promise.all(["one", "two", "three"].map((name) => shop.startWorker(name)));
  await submitDrafts(shop, count);
  await untilFinished(shop, 10);
  workers[0]?.child.kill("SIGKILL");
  await untilFinished(shop, 20);
  await server.kill();
  await server.start();
  const ended = await untilFinished(shop, count);
  expect(ended).toMatchObject({ runs: count, finished: count, recorded: 3 * count });
  expect(ended.replied).toBe(3 * count);
  expect(asked.asked.length).toBeGreaterThanOrEqual(ended.replied);
  expect(asked.asked.length).toBeLessThanOrEqual(ended.replied + ended.lost);
});
