import { kill } from "node:process";
import type { Client } from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { emptySchema } from "../../../../tests/support/empty-schema.ts";
import { startPostgres } from "../../../../tests/support/postgres.ts";
import { type Meeting, meetingAt, racesAt } from "../../../../tests/support/race.ts";
import { type RunId, runId } from "../../../domain/values/ids.ts";
import {
  attemptEnd,
  begin,
  create,
  happened,
  heldRun,
  holder,
  minute,
  recorded,
  sloganRun,
  takeLease,
} from "../../../testing/run-store-stories.ts";
import { closeAttempt, startAttempt } from "../statements/attempts.ts";
import { cancelWithChildren } from "../statements/cancelling.ts";
import { createRun } from "../statements/create-run.ts";
import { acquireLease, checkHeld, loadLease } from "../statements/leases.ts";
import { removalRepo } from "../statements/repos/removal.ts";
import { rulingRepo } from "../statements/repos/rulings.ts";
import { createRunStore } from "../statements/run-store.ts";
import { keepText } from "../statements/texts.ts";
import { change, lock, type Unit } from "../statements/unit.ts";
import { migratePostgres } from "./migrate.ts";
import { openPostgres, withClient } from "./open-postgres.ts";
import { runUnit } from "./run-unit.ts";

const emptied = emptySchema();
const race = racesAt(emptied);

function* takeOver(run: RunId): Unit<void> {
  yield* change("UPDATE runs SET epoch = epoch + 1, holder_pid = 2 WHERE run = ?", run);
}

race(
  "a reply is recorded only by the holder of the lease",
  async (meeting) => {
    const runs = createRunStore(meeting.units);
    const lease = await heldRun(runs, "slogan");
    const late = () =>
      runs.record(lease, recorded("late"), []).then(
        () => "recorded",
        (error: { code: string }) => error.code,
      );
    return (await meeting.meet(() => takeOver(lease.run), late))[1];
  },
  { locked: "lease-lost", unlocked: "recorded" },
);

race(
  "one input has one unfinished run",
  async (meeting) => {
    const runs = createRunStore(meeting.units);
    const draft = (name: string) => ({ ...sloganRun(name), unlessUnfinished: true });
    const [one, other] = await meeting.meet(
      () => createRun(draft("one")),
      () => runs.create(draft("other")),
    );
    return one.run === other.run;
  },
  { locked: true, unlocked: false },
);

race(
  "a child that is created during a cancel request is cancelled, too",
  async (meeting) => {
    const runs = createRunStore(meeting.units);
    const parent = await heldRun(runs, "pack");
    await meeting.meet(
      () => createRun(sloganRun("scenario", { parent: parent.run })),
      () => runs.requestCancel(parent.run, "wrong pack", minute(1)),
    );
    return (await runs.load(runId("scenario")))?.cancelReason;
  },
  { locked: "wrong pack", unlocked: undefined },
);

race(
  "an answer that arrives while its question is being waited for wakes the run",
  async (meeting) => {
    const store = createRunStore(meeting.units);
    const lease = await heldRun(store, "slogan");
    const question = { kind: "choice", text: "Which?", choices: [], context: {} } as const;
    const decision = { id: "q", run: lease.run, key: "ask", question, askedAt: minute(1) };
    await store.openDecision(lease, decision);
    const runs = createRunStore({
      ...meeting.units,
      write: async (_durability, unit) => {
        const answer = () => store.answer("q", { choice: "a", by: "Ada", at: minute(2) }, 1);
        return (await meeting.meet(unit, answer))[0];
      },
    });
    const waiting = { kind: "waiting", decisions: ["q"] } as const;
    const ended = await runs.end(lease, waiting, [happened(lease, 1)], minute(3));
    return [ended?.kind, (await store.load(lease.run))?.state];
  },
  { locked: [undefined, "queued"], unlocked: ["waiting", "waiting"] },
);

race(
  "a text that a row is about to name is not removed",
  async (meeting) => {
    await meeting.units.write("durable", () => keepText("You write slogans."));
    const [, removed] = await meeting.meet(
      function* () {
        const digest = yield* keepText("You write slogans.");
        yield* change("INSERT INTO blob_texts (blob, content_text) VALUES (?, ?)", "b1", digest);
      },
      () => meeting.units.write("durable", () => removalRepo.removeUnnamedTexts()),
    );
    return removed;
  },
  { locked: 0, unlocked: 1 },
);

race(
  "acts of two people get two numbers",
  async (meeting) => {
    const ruling = { run: runId("slogan"), act: "approve", by: "Ada", knownHow: "flag" } as const;
    function* act(): Unit<number> {
      yield* lock("transaction");
      return (yield* rulingRepo.append({ ...ruling, at: minute(1) })).number;
    }
    const second = () =>
      meeting.units.write("durable", act).catch((error: { code: string }) => error.code);
    return await meeting.meet(act, second);
  },
  { locked: [1, 2], unlocked: [1, "23505"] },
);

race(
  "a run that is resumed is not removed",
  async (meeting) => {
    const runs = createRunStore(meeting.units);
    const lease = await heldRun(runs, "slogan");
    const stopped = { kind: "stopped", reason: "interrupted", facts: {} } as const;
    await runs.end(lease, stopped, [], minute(2));
    const take = { owner: holder(2), mayTake: () => true, token: "t" };
    await meeting.meet(
      () => acquireLease(lease.run, take),
      () =>
        meeting.units
          .write("durable", () => removalRepo.remove(lease.run))
          .catch((error: { code: string }) => error.code),
    );
    return (await runs.load(lease.run))?.state;
  },
  { locked: "running", unlocked: undefined },
);

race(
  "a job that is submitted twice at once is one run",
  async (meeting) => {
    const runs = createRunStore(meeting.units);
    const second = () =>
      runs.create(sloganRun("slogan")).then(
        ({ run }) => run,
        (error: { code: string }) => error.code,
      );
    return (await meeting.meet(() => createRun(sloganRun("slogan")), second))[1];
  },
  { locked: "slogan", unlocked: "23505" },
);

race(
  "two children do not reserve the last of a budget at once",
  async (meeting) => {
    const runs = createRunStore(meeting.units);
    const sweep = await heldRun(runs, "sweep", { budget: { tokens: 100 } });
    const [one, other] = [
      await heldRun(runs, "one", { parent: sweep.run }),
      await heldRun(runs, "other", { parent: sweep.run }),
    ];
    const call = { key: create, digest: recorded("").digest, model: "offline/rules" };
    const start = { ...call, reserve: { tokens: 60 }, at: minute(1) };
    const [first, second] = await meeting.meet(
      () => startAttempt({ run: one.run, top: sweep.run, isBounded: true }, start),
      () => begin(runs, other, { tokens: 60 }),
    );
    return [first.kind, second.kind, await reservedBy(meeting, sweep.run)];
  },
  { locked: ["reserved", "over-budget", 60], unlocked: ["reserved", "reserved", 120] },
);

async function reservedBy({ watcher }: Meeting, run: RunId): Promise<number> {
  const sql = "SELECT reserved_tokens::int AS tokens FROM signoff_test.runs WHERE run = $1";
  return (await watcher.query<{ tokens: number }>(sql, [run])).rows[0]?.tokens ?? 0;
}

describe("a reply of a child is recorded while its parent is cancelled", () => {
  /** The recording has locked the child, and goes on to the budget when the cancel request waits. */
  async function meet(cancel: (parent: RunId) => Unit<void>): Promise<readonly string[]> {
    const location = await emptied();
    const meeting = await meetingAt(location, true);
    const runs = createRunStore(meeting.units);
    const parent = await heldRun(runs, "sweep", { budget: { tokens: 100 } });
    const child = await heldRun(runs, "pair", { parent: parent.run });
    await begin(runs, child, { tokens: 20 });
    const transaction = (work: (client: Client) => Promise<unknown>): Promise<string> =>
      withClient(location, async (client) => {
        await client.query("SET deadlock_timeout = '100ms'");
        await client.query("BEGIN");
        await work(client);
        await client.query("COMMIT");
        return "committed";
      }).catch((error: { code: string }) => error.code);
    const held = Promise.withResolvers<void>();
    const recording = transaction(async (client) => {
      const payer = await runUnit(client, checkHeld(child));
      held.resolve();
      await meeting.aLockIsWaitedFor();
      await runUnit(client, closeAttempt({ key: create, ...payer }, { end: attemptEnd(1) }));
    });
    await held.promise;
    const cancelling = transaction((client) => runUnit(client, cancel(parent.run)));
    return [await recording, await cancelling].sort();
  }
  const how = { reason: "wrong pack", at: minute(2) };

  it("holds, because every writer locks its run before the one that pays", async () => {
    const outcome = await meet((parent) => cancelWithChildren(parent, how));
    expect(outcome).toEqual(["committed", "committed"]);
  });

  it("does not hold in the opposite order", async () => {
    const outcome = await meet(function* (parent) {
      yield* loadLease(parent);
      yield* cancelWithChildren(parent, how);
    });
    expect(outcome).toEqual(["40P01", "committed"]);
  });
});

/** The server commits without waiting for its disk unless it is asked to, and its log writer does nothing by itself. */
it("after an immediate stop of the server an epoch is given again only if its commit did not wait", async () => {
  const server = await startPostgres({ synchronous_commit: "off" });
  onTestFinished(() => server.remove());
  const location = { url: server.url, schema: "signoff_test" };
  await withClient(location, (client) => migratePostgres(client, location.schema));
  const store = await openPostgres(location);
  onTestFinished(() => store.close());
  const waited = await store.runs.create(sloganRun("waited"));
  const unwaited = await store.runs.create(sloganRun("unwaited"));
  const writer = await withClient(location, async (client) => {
    const sql = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'walwriter'";
    return (await client.query<{ pid: number }>(sql)).rows[0]?.pid ?? 0;
  });
  kill(writer, "SIGSTOP");
  const take = { owner: holder(2), mayTake: () => true, token: "t" };
  await store.runs.acquire(waited.run, holder(2), () => true);
  await store.database.write("heartbeat", () => acquireLease(unwaited.run, take));
  await server.kill();
  kill(writer, "SIGKILL");
  await server.start();
  expect(await takeLease(store.runs, waited.run, 3)).toMatchObject({ epoch: 2 });
  expect(await takeLease(store.runs, unwaited.run, 3)).toMatchObject({ epoch: 1 });
});
