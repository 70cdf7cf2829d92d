import assert from "node:assert/strict";
import { key, runId } from "../domain/values/ids.ts";
import type { Instant } from "../domain/values/instant.ts";
import type { Repos, RunRuling } from "../ports/repos.ts";
import { type ConformanceCase, testCase } from "./conformance-case.ts";
import { peopleConformance } from "./people-conformance.ts";
import { runSearchConformance } from "./run-search-conformance.ts";
import {
  attemptEnd,
  begin,
  create,
  creatorFacts,
  failure,
  happened,
  heldRun,
  minute,
  recorded,
  rejectsWith,
  reply,
  type StoreSubject,
  sloganRun,
  takeLease,
} from "./run-store-stories.ts";

const finished = { kind: "finished", result: null } as const;
const approval: Omit<RunRuling, "number"> = {
  run: runId("slogan"),
  act: "approve",
  candidate: "turn-2",
  by: "Ann",
  knownHow: "flag",
  reason: "short and true",
  at: minute(9),
};

const transactions: readonly ConformanceCase<StoreSubject>[] = [
  testCase("rolls back a transaction that throws", async (store) => {
    const work = store.transaction(async ({ rulings }) => {
      await rulings.append(approval);
      throw new Error("the shop burnt down");
    });
    await assert.rejects(work, /burnt down/);
    assert.deepEqual(await store.read(({ rulings }) => rulings.of(approval.run)), []);
  }),
  testCase("an open transaction is invisible to readers and delays writers", async (store) => {
    const lease = await heldRun(store.runs, "slogan");
    let open: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => {
      open = resolve;
    });
    let finish: () => void = () => undefined;
    const mayFinish = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const order: string[] = [];
    const transaction = store
      .transaction(async ({ rulings }) => {
        await rulings.append(approval);
        open();
        await mayFinish;
      })
      .then(() => order.push("transaction"));
    await begun;
    const record = store.runs.record(lease, recorded("after"), []).then(() => order.push("record"));
    const second = store
      .transaction(({ rulings }) => rulings.of(approval.run))
      .then((list) => order.push(`second saw ${list.length}`));
    const reading = store
      .read(({ rulings }) => rulings.of(approval.run))
      .then((list) => order.push(`reader saw ${list.length}`));
    await new Promise((resolve) => setImmediate(resolve));
    // A store with one connection makes the reader wait; any other shows it the previous state.
    assert.deepEqual(
      order.filter((entry) => entry !== "reader saw 0"),
      [],
    );
    finish();
    await Promise.all([transaction, record, second, reading]);
    const writers = order.filter((entry) => !entry.startsWith("reader"));
    assert.deepEqual(writers.sort(), ["record", "second saw 1", "transaction"]);
    assert.deepEqual(await store.runs.find(lease.run, create), recorded("after"));
  }),
  testCase("serializes concurrent transactions", async (store) => {
    await Promise.all(
      Array.from({ length: 10 }, () =>
        store.transaction(async ({ rulings }) => {
          const before = await rulings.of(approval.run);
          await Promise.resolve();
          const { number } = await rulings.append(approval);
          assert.equal(number, before.length + 1);
        }),
      ),
    );
    const rulings = await store.read((repos) => repos.rulings.of(approval.run));
    assert.deepEqual(rulings.at(-1), { ...approval, number: 10 });
  }),
];

const lists: readonly ConformanceCase<StoreSubject>[] = [
  testCase("lists runs newest first, by page, state, kind and parent", async (store) => {
    for (const [at, name] of ["a", "b", "c", "d"].entries()) {
      await store.runs.create(sloganRun(name, { createdAt: minute(Math.floor(at / 2)) }));
    }
    const lease = await takeLease(store.runs, runId("b"), 1);
    await store.runs.end(lease, finished, [], minute(8));
    const names = (page: Parameters<Repos["runs"]["list"]>[0]) =>
      store.read(async ({ runs }) => (await runs.list(page)).map(({ run }) => run).join(""));
    assert.equal(await names({ limit: 9 }), "dcba");
    assert.equal(await names({ limit: 2 }), "dc");
    const after = { createdAt: minute(0), run: runId("b") };
    assert.equal(await names({ limit: 9, after }), "a");
    assert.equal(await names({ limit: 9, state: "finished" }), "b");
    assert.equal(await names({ limit: 9, kind: "draft", state: "queued" }), "dca");
    assert.equal(await names({ limit: 9, kind: "episode" }), "");
    await store.runs.create(sloganRun("e", { createdAt: minute(3), parent: runId("d") }));
    assert.equal(await names({ limit: 2 }), "ed");
    assert.equal(await names({ limit: 2, topOnly: true }), "dc");
  }),
  testCase("the ledger lists and totals every attempt, children included", async (store) => {
    const parent = await heldRun(store.runs, "pack");
    const child = await heldRun(store.runs, "part", { parent: parent.run });
    await begin(store.runs, parent, { tokens: 50 });
    await store.runs.fail(parent, create, attemptEnd(1, undefined, 1), failure);
    await begin(store.runs, parent, { tokens: 50 });
    const priced = { input: 10, output: 5, cachedInput: 4, microUsd: 30 };
    await reply(store.runs, parent, attemptEnd(2, priced));
    await begin(store.runs, child, {});
    await reply(store.runs, child, attemptEnd(1, { input: 1, output: 1 }));
    await begin(store.runs, child, {}, key("lost"));
    await takeLease(store.runs, child.run, 2);
    const lines = await store.read(({ ledger }) => ledger.lines(parent.run, { limit: 9 }));
    assert.deepEqual(
      lines.map(({ run, attempt, state, microUsd }) => [run, attempt, state, microUsd]),
      [
        ["pack", 1, "failed", undefined],
        ["pack", 2, "replied", 30],
        ["part", 1, "lost", undefined],
        ["part", 1, "replied", undefined],
      ],
    );
    assert.deepEqual(lines[0]?.error, failure);
    const [first] = await store.read(({ ledger }) => ledger.lines(child.run, { limit: 1 }));
    assert.ok(first !== undefined && first.key === "lost");
    const rest = await store.read(({ ledger }) =>
      ledger.lines(child.run, { limit: 9, after: first }),
    );
    assert.deepEqual(
      rest.map((line) => line.key),
      [create],
    );
    const totals = await store.read(({ ledger }) => ledger.totals(parent.run));
    assert.deepEqual(
      totals.find(({ role }) => role === "creator"),
      {
        role: "creator",
        model: "offline/rules",
        attempts: 2,
        replied: 2,
        failed: 0,
        lost: 0,
        inputTokens: 11,
        outputTokens: 6,
        cachedInputTokens: 4,
        microUsd: 30,
        unpriced: 1,
        uncounted: 0,
        seconds: 4,
      },
    );
  }),
  testCase("a run's spending includes that of its children", async (store) => {
    for (const [name, more] of [
      ["free", {}],
      ["bounded", { budget: { tokens: 1_000 } }],
    ] as const) {
      const pack = await heldRun(store.runs, name, more);
      const child = await heldRun(store.runs, `${name} child`, { parent: pack.run });
      await begin(store.runs, child, { tokens: 90, microUsd: 9 });
      const end = attemptEnd(1, { input: 20, output: 20, microUsd: 4 });
      await reply(store.runs, child, end);
      await begin(store.runs, pack, { tokens: 90, microUsd: 9 });
    }
    for (const name of ["free", "bounded"]) {
      const spent = await store.read(({ runs }) => runs.spentBy(runId(name)));
      assert.deepEqual(spent, { microUsd: 4, tokens: 40, seconds: 2 });
    }
  }),
  testCase("counts runs and attempts since a given time", async (store) => {
    await heldRun(store.runs, "yesterday", { createdAt: minute(0) });
    const lease = await heldRun(store.runs, "today", { createdAt: minute(5) });
    await begin(store.runs, lease, {});
    const end = attemptEnd(1, { input: 1, output: 2, microUsd: 3 });
    await reply(store.runs, lease, end);
    await begin(store.runs, lease, {}, key("open"));
    const costs = await store.read(({ stats }) => stats.costs(minute(1)));
    assert.deepEqual(
      costs.map(({ kind, role, attempts, microUsd }) => [kind, role, attempts, microUsd]),
      [
        ["draft", undefined, 1, 0],
        ["draft", "creator", 1, 3],
      ],
    );
    const byDay = await store.read(({ stats }) => stats.costsByDay(minute(0)));
    assert.deepEqual(
      byDay.map(({ day, attempts }) => [day, attempts]),
      [[minute(0).slice(0, 10), 2]],
    );
    assert.deepEqual(await store.read(({ stats }) => stats.runsByDay(minute(0))), [
      { day: minute(0).slice(0, 10), runs: 2 },
    ]);
    const runs = (since: number) => store.read(({ stats }) => stats.runs(minute(since)));
    assert.deepEqual(await runs(1), [{ kind: "draft", state: "running", runs: 1 }]);
    assert.deepEqual(await runs(0), [{ kind: "draft", state: "running", runs: 2 }]);
  }),
  testCase("the inbox lists open questions of unfinished runs, oldest first", async (store) => {
    const lease = await heldRun(store.runs, "slogan");
    const gone = await heldRun(store.runs, "gone");
    const question = { kind: "choice", text: "Which?", choices: ["a"], context: null };
    for (const [at, id] of ["late", "early", "answered"].entries()) {
      const askedAt = minute(9 - at);
      await store.runs.openDecision(lease, { id, run: lease.run, key: id, question, askedAt });
    }
    const dropped = { id: "dropped", run: gone.run, key: "q", question, askedAt: minute(1) };
    await store.runs.openDecision(gone, dropped);
    await store.runs.end(gone, { kind: "cancelled", reason: "enough" }, [], minute(3));
    await store.runs.answer("answered", { choice: "a", by: "Ann", at: minute(9) }, 1);
    const open = await store.read(({ inbox }) => inbox.open({ limit: 9 }));
    assert.deepEqual(
      open.map(({ id }) => id),
      ["early", "late"],
    );
    const after = { since: minute(8), id: "early" };
    const next = await store.read(({ inbox }) => inbox.open({ limit: 9, after }));
    assert.deepEqual(
      next.map(({ id }) => id),
      ["late"],
    );
    assert.equal((await store.read(({ inbox }) => inbox.of(lease.run))).length, 3);
  }),
  testCase("the inbox lists an unsigned loop once until a person acts on it", async (store) => {
    const pageAfter = (after?: { since: Instant; id: string }) =>
      store.read(({ inbox }) => inbox.unsigned({ limit: 9, ...(after && { after }) }));
    const early = await heldRun(store.runs, "early");
    const late = await heldRun(store.runs, "late");
    await store.transaction(({ inbox }) => inbox.keepUnsigned({ run: late.run, since: minute(7) }));
    await store.transaction(({ inbox }) =>
      inbox.keepUnsigned({ run: early.run, since: minute(2) }),
    );
    assert.deepEqual(await pageAfter(), []);
    for (const lease of [early, late]) await store.runs.end(lease, finished, [], minute(8));
    await store.transaction(({ inbox }) =>
      inbox.keepUnsigned({ run: early.run, since: minute(9) }),
    );
    assert.deepEqual(await pageAfter(), [
      { run: early.run, since: minute(2) },
      { run: late.run, since: minute(7) },
    ]);
    assert.deepEqual(await pageAfter({ since: minute(2), id: early.run }), [
      { run: late.run, since: minute(7) },
    ]);
    await store.transaction(({ inbox }) => inbox.settle(early.run));
    await store.transaction(({ removal }) => removal.remove(late.run));
    assert.deepEqual(await pageAfter(), []);
  }),
  testCase("finds runs by the first characters of their id", async (store) => {
    const { run } = await heldRun(store.runs, "slogan");
    await heldRun(store.runs, "other");
    const found = (prefix: string) =>
      store.read(({ runs }) => runs.beginningWith(prefix, 9)).then((ids) => [...ids]);
    assert.deepEqual(await found(run), [run]);
    assert.ok((await found(run.slice(0, 2))).includes(run));
    assert.equal((await found("")).length, 2);
    assert.deepEqual(await found(`${run}0`), []);
  }),
];

const removal: readonly ConformanceCase<StoreSubject>[] = [
  testCase("removing a run keeps its questions, rulings and shared texts", async (store) => {
    const long = (word: string) => `${word} `.repeat(20_000);
    const question = { kind: "choice", text: "Which?", choices: ["a"], context: null };
    const leases = [];
    for (const name of ["slogan", "kept"]) {
      const lease = await heldRun(store.runs, name);
      await begin(store.runs, lease, {});
      const facts = { ...creatorFacts, system: long("shared"), user: long(name) };
      const call = { facts, end: attemptEnd(1) };
      await store.runs.record(lease, recorded(long(`by ${name}`)), [happened(lease, 1)], call);
      leases.push(lease);
    }
    const [lease, kept] = leases;
    assert.ok(lease !== undefined && kept !== undefined);
    const asked = { id: "q", run: lease.run, key: "q", question, askedAt: minute(2) };
    await store.runs.openDecision(lease, asked);
    const child = await heldRun(store.runs, "child", { parent: lease.run });
    await store.transaction(({ rulings }) => rulings.append(approval));
    await store.runs.end(lease, finished, [], minute(5));
    const remove = () => store.transaction((repos) => repos.removal.remove(lease.run));
    await rejectsWith("run-not-over", remove());
    await store.runs.end(child, finished, [], minute(6));
    const removeChild = store.transaction((repos) => repos.removal.remove(child.run));
    await rejectsWith("run-is-child", removeChild);
    const ended = await store.read((repos) => repos.removal.endedBefore(minute(9), 5));
    assert.deepEqual(ended, [lease.run]);
    assert.deepEqual(await store.read((repos) => repos.removal.endedBefore(minute(5), 5)), []);
    await remove();
    const before = await store.read((repos) => repos.storage.size());
    const dropped = await store.transaction((repos) => repos.removal.removeUnnamedTexts());
    assert.equal(await store.runs.load(lease.run), undefined);
    assert.equal(await store.runs.load(child.run), undefined);
    assert.equal((await store.runs.findDecision("q"))?.run, lease.run);
    assert.equal((await store.read((repos) => repos.rulings.of(lease.run))).length, 1);
    assert.equal((await store.runs.facts(kept.run, create))?.system, long("shared"));
    assert.deepEqual(await store.runs.find(kept.run, create), recorded(long("by kept")));
    const size = await store.read((repos) => repos.storage.size());
    assert.deepEqual([size.runs, size.calls, size.events], [1, 1, 1]);
    assert.equal(size.texts, before.texts - dropped);
    assert.ok(size.bytes > size.freeBytes);
  }),
];

/** What a store guarantees apart from its runs. Each case needs an empty store. */
export const storeConformance: readonly ConformanceCase<StoreSubject>[] = [
  ...transactions,
  ...lists,
  ...removal,
  ...peopleConformance,
  ...runSearchConformance,
];
