import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { emptySchema } from "../../../../tests/support/empty-schema.ts";
import { type RunId, runId } from "../../../domain/values/ids.ts";
import {
  attemptEnd,
  begin,
  happened,
  heldRun,
  holder,
  minute,
  recorded,
  sloganRun,
} from "../../../testing/run-store-stories.ts";
import { removalRepo } from "../statements/repos/removal.ts";
import { rulingRepo } from "../statements/repos/rulings.ts";
import { createRunStore } from "../statements/run-store.ts";
import { keepText } from "../statements/texts.ts";
import { change, get, lock, type Statement, type Unit, type Units } from "../statements/unit.ts";
import { openPostgres } from "./open-postgres.ts";
import type { PostgresDatabase } from "./postgres-database.ts";
import { runUnit } from "./run-unit.ts";

const emptied = emptySchema();

/** A database on which one transaction can be held open while others meet it. */
class Meeting {
  readonly units: Units;
  readonly #database: PostgresDatabase;
  readonly #locking: (unit: Unit<unknown>) => Unit<unknown>;
  readonly #watcher: pg.Client;

  constructor(parts: { database: PostgresDatabase; watcher: pg.Client; hasLocks: boolean }) {
    this.#database = parts.database;
    this.#watcher = parts.watcher;
    this.#locking = parts.hasLocks ? (unit) => unit : unlocked;
    this.units = {
      isConcurrent: parts.hasLocks,
      read: (unit) => this.#database.read(unit),
      write: (durability, unit) => this.#database.write(durability, () => this.plain(unit())),
    };
  }

  plain<T>(unit: Unit<T>): Unit<T> {
    return this.#locking(unit) as Unit<T>;
  }

  /** Does the first work, then the second before the first is committed; both results. */
  async meet<A, B>(first: () => Unit<A>, second: () => Promise<B>): Promise<[A, B]> {
    let meeting: Promise<B> | undefined;
    const one = await this.#database.writing(async (client) => {
      const result = await runUnit(client, this.plain(first()));
      meeting = second();
      meeting.catch(() => undefined);
      await Promise.race([meeting.then(nothing, nothing), this.#somebodyWaits()]);
      return result;
    });
    return [one, await (meeting as Promise<B>)];
  }

  /** Returns when a connection of this database waits for a lock. */
  async #somebodyWaits(): Promise<void> {
    for (;;) {
      const { rowCount } = await this.#watcher.query(
        `SELECT 1 FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      if (rowCount !== 0) return;
    }
  }
}

function nothing(): undefined {
  return undefined;
}

/** The same unit without any of its locks. */
function* unlocked(unit: Unit<unknown>): Unit<unknown> {
  const steps = unit[Symbol.iterator]();
  let step = steps.next();
  while (step.done !== true) {
    step = steps.next(yield* bare(step.value));
  }
  return step.value;
}

function* bare(statement: Statement): Unit<unknown> {
  if (statement.kind === "lock") return undefined;
  if (statement.kind === "together") {
    return yield { kind: "together", units: statement.units.map(unlocked) };
  }
  if (!("locking" in statement)) return yield statement;
  const { locking, ...rest } = statement;
  return yield rest;
}

async function meetingWith(hasLocks: boolean): Promise<Meeting> {
  const location = await emptied();
  const store = await openPostgres({ ...location, connections: 6 });
  const watcher = new pg.Client({ connectionString: location.url });
  await watcher.connect();
  onTestFinished(async () => {
    await watcher.end();
    await store.close();
  });
  return new Meeting({ database: store.database, watcher, hasLocks });
}

/** What happens with the locks, and what would happen without them. */
function race<T>(
  title: string,
  play: (meeting: Meeting) => Promise<T>,
  outcome: { readonly locked: T; readonly unlocked: T },
): void {
  describe(title, () => {
    it("holds", async () => {
      expect(await play(await meetingWith(true))).toEqual(outcome.locked);
    });
    it("does not hold without its lock", async () => {
      expect(await play(await meetingWith(false))).toEqual(outcome.unlocked);
    });
  });
}

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
    const { createRun } = await import("../statements/create-run.ts");
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
    const { createRun } = await import("../statements/create-run.ts");
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
    const { acquireLease } = await import("../statements/leases.ts");
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

it("a budget that many children share is never exceeded, and its sums stay right", async () => {
  const meeting = await meetingWith(true);
  const runs = createRunStore(meeting.units);
  const sweep = await heldRun(runs, "sweep", { budget: { tokens: 100 } });
  const children = await Promise.all(
    [...Array(8).keys()].map((at) => heldRun(runs, `pair ${at}`, { parent: sweep.run })),
  );
  const outcomes = await Promise.all(
    children.map(async (lease) => {
      const begun = await begin(runs, lease, { tokens: 20 });
      if (begun.kind !== "reserved") return begun.kind;
      const usage = { input: 10, output: 5 };
      await runs.record(lease, recorded("yes"), [], { end: { ...attemptEnd(1), usage } });
      return "recorded";
    }),
  );
  const row = await meeting.units.read(() =>
    get<{ spent_tokens: number; reserved_tokens: number }>(
      "SELECT spent_tokens, reserved_tokens FROM runs WHERE run = ?",
      sweep.run,
    ),
  );
  const paid = outcomes.filter((kind) => kind === "recorded").length;
  expect(paid).toBeGreaterThanOrEqual(5);
  expect(row).toEqual({ spent_tokens: 15 * paid, reserved_tokens: 0 });
  expect(15 * paid).toBeLessThanOrEqual(100);
});
