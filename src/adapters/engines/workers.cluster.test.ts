import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished, vi } from "vitest";
import { job, replyNow, request } from "../../../tests/support/letter-engine.ts";
import { createDatabase } from "../../../tests/support/postgres.ts";
import { key, type RunId, runId } from "../../domain/values/ids.ts";
import type { Flow, Job } from "../../ports/flow.ts";
import type { Runner } from "../../ports/runner.ts";
import { systemClock } from "../../wiring/project/system-clock.ts";
import { migratePostgres } from "../persistence/postgres/migrate.ts";
import { openPostgres, withClient } from "../persistence/postgres/open-postgres.ts";
import { EmbeddedEngine } from "./embedded/embedded-engine.ts";
import { Executions, type ExecutionsOptions } from "./executions.ts";
import { migrateQueue } from "./queue/migrate-queue.ts";
import { openClusterPool } from "./queue/open-pool.ts";
import { RunChanges } from "./queue/run-changes.ts";
import { Worker } from "./queue/worker.ts";
import { WorkerRegistry } from "./queue/worker-registry.ts";
import { defaultRetryPolicy } from "./retry-delay.ts";
import { Scheduler } from "./scheduler.ts";

const task = "execute-test";
const never = new AbortController().signal;
const patient = { timeout: 60_000 };

describe("workers of a shared database", () => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  beforeAll(async () => {
    database = await createDatabase(inject("postgres"));
  });
  afterAll(() => database.drop());

  const signature = { kind: "signature", text: "Sign it?", choices: ["yes"], context: null };
  const flows: ReadonlyMap<string, Flow> = new Map<string, Flow>([
    ["letter", async (ctx) => (await ctx.ask(key("greeting"), request)).text],
    [
      "signed",
      async (ctx) => {
        const { by } = await ctx.waitForDecision(key("sign"), signature);
        return `${(await ctx.ask(key("greeting"), request)).text}, ${by}`;
      },
    ],
    [
      "book",
      async (ctx, pages) => {
        const jobs = Array.from({ length: Number(pages) }, (_, at) => pageOf(ctx.job.id, at));
        return (await ctx.children(jobs)).map(({ kind }) => kind).join(" ");
      },
    ],
    [
      "shelf",
      async (ctx, books) => {
        const jobs = Array.from({ length: Number(books) }, (_, at) => ({
          ...pageOf(ctx.job.id, at),
          kind: "book",
          input: 2,
        }));
        let done = 0;
        for await (const { ending } of ctx.childrenOf(jobs, 4))
          done += ending?.kind === "finished" ? 1 : 0;
        return done;
      },
    ],
  ]);

  function pageOf(id: string, at: number): Job {
    return { ...job, id: `${id}/${at}`, kind: "letter" };
  }

  function jobOf(kind: string, input: Job["input"] = {}): Job {
    return { ...job, id: randomUUID(), kind, input };
  }

  /** A project of its own, the process that submits, and workers in this process. */
  async function open(runner: Runner = { attempt: async () => replyNow() }) {
    const schema = `signoff_${randomUUID()}`;
    const location = { url: database.url, schema };
    await withClient(location, (client) => migratePostgres(client, schema));
    await migrateQueue(database.url, schema);
    const store = await openPostgres(location);
    const cluster = await openClusterPool(database.url, 12);
    const changes = new RunChanges({
      ...{ project: schema, connect: cluster.connect, store: store.runs, clock: systemClock },
    });
    const parts = (id: string): ExecutionsOptions => ({
      store: store.runs,
      flows,
      runnerFor: async () => ({ runner, provider: "post", price: () => 0 }),
      scheduler: new Scheduler({
        ...{ clock: systemClock, chance: () => 0, policy: defaultRetryPolicy },
        concurrencyOf: () => 100,
      }),
      projectors: [],
      clock: systemClock,
      owner: { host: `worker ${id}`, pid: process.pid, processStart: id },
      isDead: ({ processStart, expires }, now) => processStart === id || Date.parse(expires) < now,
      crash: { reach: () => undefined },
      observer: { notice: () => undefined },
      childConcurrency: 64,
      elsewhere: { taskOf: () => task, changed: (run, signal) => changes.changed(run, signal) },
    });
    const engine = new EmbeddedEngine({ ...parts("client"), newRunId: () => runId(randomUUID()) });
    let later = 0;
    const halfAMinuteLater = () => {
      later += 30_000;
    };
    const startWorker = (concurrency: number) => {
      const id = randomUUID();
      const reported: string[] = [];
      const executions = new Executions(parts(id));
      const heard = new RunChanges({
        ...{ project: schema, connect: cluster.connect, store: store.runs, clock: systemClock },
        cancelRequested: (run) => void executions.stop(run, "cancelled"),
      });
      void heard.listen();
      const self = {
        ...{ id, name: id.slice(0, 4), host: "here", pid: 1, version: "1" },
        ...{ tasks: [task], projects: [schema], concurrency },
      };
      const registry = new WorkerRegistry({
        ...{
          pool: cluster.pool,
          connect: cluster.connect,
          self,
          now: () => performance.now() + later,
        },
        ...{ projects: async () => [schema], report: () => undefined },
      });
      const worker = new Worker({
        ...{ self, pool: cluster.pool, registry, clock: systemClock },
        report: (sentence) => reported.push(sentence),
        executionsOf: async () => executions,
        foreign: async () => [],
      });
      const working = worker.work();
      onTestFinished(async () => {
        await worker.drain("now");
        await working;
        await heard.close();
      });
      return { worker, working, registry, id, reported };
    };
    onTestFinished(async () => {
      await changes.close();
      await store.close();
      await cluster.pool.end();
    });
    return { engine, store, startWorker, schema, cluster, halfAMinuteLater };
  }

  it("execute what was submitted before and after they started", async () => {
    const { engine, startWorker } = await open();
    const before = await engine.submit(jobOf("letter"));
    startWorker(2);
    const after = await engine.submit(jobOf("letter"));
    for (const run of [before, after]) {
      expect(await engine.ending(run, never)).toMatchObject({ kind: "finished" });
    }
  });

  it("read the queue again when they could not at first", async () => {
    const { engine, startWorker, cluster } = await open();
    const hide = "ALTER TABLE graphile_worker._private_tasks RENAME TO hidden_tasks";
    const show = "ALTER TABLE graphile_worker.hidden_tasks RENAME TO _private_tasks";
    await cluster.pool.query(hide);
    const { reported } = startWorker(1);
    await vi.waitUntil(() => reported.some((one) => one.includes("queue cannot be read")), patient);
    await cluster.pool.query(show);
    const run = await engine.submit(jobOf("letter"));
    expect(await engine.ending(run, never)).toMatchObject({ kind: "finished" });
  });

  it("finish parents, and parents of parents, with a single place", async () => {
    const { engine, startWorker } = await open();
    startWorker(1);
    const book = await engine.submit(jobOf("book", 5));
    const shelf = await engine.submit(jobOf("shelf", 6));
    expect(await engine.ending(book, never)).toMatchObject({
      result: "finished finished finished finished finished",
    });
    expect(await engine.ending(shelf, never)).toMatchObject({ kind: "finished", result: 6 });
  });

  it("continue a run that waits for a person when it is answered", async () => {
    const { engine, store, startWorker } = await open();
    startWorker(2);
    const run = await engine.submit(jobOf("signed"));
    const ending = await engine.ending(run, never);
    const decision = ending.kind === "waiting" ? ending.decisions[0] : undefined;
    const yes = { choice: "yes", by: "Ada", at: job.createdAt };
    expect(await engine.answer(decision ?? "", yes, 1)).toBe("recorded");
    const isFinished = async () => (await store.runs.load(run))?.state === "finished";
    await vi.waitUntil(isFinished, patient);
    expect((await store.runs.load(run))?.ending).toMatchObject({
      result: expect.stringMatching(/, Ada$/u),
    });
  });

  it("record the call in flight and hand the run back when they drain", async () => {
    const first = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    let calls = 0;
    const { engine, store, startWorker } = await open({
      attempt: async () => {
        calls += 1;
        first.resolve();
        await go.promise;
        return replyNow();
      },
    });
    const one = startWorker(1);
    const run = await engine.submit(jobOf("letter"));
    await first.promise;
    const drained = one.worker.drain();
    go.resolve();
    await drained;
    await one.working;
    startWorker(1);
    expect(await engine.ending(run, never)).toMatchObject({ kind: "finished" });
    expect(calls).toBe(1);
    expect((await store.runs.load(run))?.holder).toBeUndefined();
  });

  it("stop a run that is cancelled elsewhere at once, with the children it waits for", async () => {
    const asked: RunId[] = [];
    const { engine, store, startWorker } = await open({
      attempt: async (_, signal) => {
        asked.push("x" as RunId);
        await new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
        });
        return replyNow();
      },
    });
    startWorker(4);
    const run = await engine.submit(jobOf("book", 3));
    await vi.waitUntil(() => asked.length === 3, patient);
    await engine.cancel(run, "no longer wanted");
    expect(await engine.ending(run, never)).toMatchObject({ kind: "cancelled" });
    const areCancelled = async () =>
      (await store.runs.listChildren(run)).every(({ state }) => state === "cancelled");
    await vi.waitUntil(areCancelled, patient);
  });

  it("take over from a worker that is silent, whose late reply is refused", async () => {
    const waiting: ((text: string) => void)[] = [];
    const { engine, store, startWorker, cluster, schema, halfAMinuteLater } = await open({
      attempt: () =>
        new Promise((resolve) => {
          waiting.push(() => resolve(replyNow()));
        }),
    });
    const frozen = startWorker(1);
    const run = await engine.submit(jobOf("letter"));
    await vi.waitUntil(() => waiting.length === 1, patient);
    const other = startWorker(1);
    await vi.waitUntil(() => other.registry.isAlive, patient);
    const silent = "UPDATE signoff.workers SET beat_at = now() - interval '31 s' WHERE id = $1";
    await cluster.pool.query(silent, [frozen.id]);
    halfAMinuteLater();
    expect(await other.registry.buryDead()).toBe(1);
    await vi.waitUntil(() => waiting.length === 2, patient);
    waiting[0]?.("");
    waiting[1]?.("");
    expect(await engine.ending(run, never)).toMatchObject({ kind: "finished" });
    const { rows } = await cluster.pool.query(
      `SELECT state FROM "${schema}".attempts WHERE run = $1 ORDER BY attempt`,
      [run],
    );
    expect(rows.map(({ state }) => state)).toEqual(["lost", "replied"]);
    expect((await store.runs.load(run))?.epoch).toBe(2);
  });
});
