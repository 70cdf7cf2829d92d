import assert from "node:assert/strict";
import { key } from "../domain/values/ids.ts";
import type { Lease } from "../ports/journal.ts";
import type { RunStore } from "../ports/run-store.ts";
import { type ConformanceCase, testCase } from "./conformance-case.ts";
import {
  attemptEnd,
  begin,
  create,
  creatorFacts,
  failure,
  happened,
  heldRun,
  minute,
  otherQuestion,
  recorded,
  rejectsWith,
  takeLease,
} from "./run-store-stories.ts";

/** What a journal guarantees about replies, events and attempts. */
export const journalConformance: readonly ConformanceCase<RunStore>[] = [
  testCase("finds a recorded reply together with its request", async (store) => {
    const lease = await heldRun(store, "slogan");
    assert.equal(await store.find(lease.run, create), undefined);
    const started = await begin(store, lease, {});
    assert.deepEqual(started, { kind: "reserved", attempt: 1 });
    const end = attemptEnd(1, { input: 10, output: 5 });
    await store.record(lease, recorded("Warm since four."), [], { facts: creatorFacts, end });
    assert.deepEqual(await store.find(lease.run, create), recorded("Warm since four."));
    assert.deepEqual(await store.facts(lease.run, create), creatorFacts);
  }),
  testCase("returns texts of any length and alphabet unchanged", async (store) => {
    const lease = await heldRun(store, "slogan");
    for (const length of [0, 1, 4095, 4096, 70_000]) {
      const at = key("turn", length, "create");
      const text = "Хлеб ist 🥖 warm\u0000\n".repeat(length).slice(0, length - (length % 2));
      const facts = { ...creatorFacts, system: text, user: `${text}!` };
      await begin(store, lease, {}, at);
      await store.record(lease, recorded(text, at), [happened(lease, length + 1, text)], {
        facts,
        end: attemptEnd(1),
      });
      assert.deepEqual(await store.find(lease.run, at), recorded(text, at));
      assert.deepEqual(await store.facts(lease.run, at), facts);
      const [event] = await store.events(lease.run, length, 1);
      assert.deepEqual(event, happened(lease, length + 1, text));
    }
  }),
  testCase("returns texts that look like JSON or are malformed unchanged", async (store) => {
    const lease = await heldRun(store, "slogan");
    const texts = ['"Warm", they say', '"Warm."', "{}", "null", "🥖".slice(0, 1), "a\0b", "\n"];
    for (const [index, text] of texts.entries()) {
      const at = key("turn", index, "create");
      const facts = { ...creatorFacts, system: text, user: text };
      await begin(store, lease, {}, at);
      const call = { facts, end: attemptEnd(1) };
      await store.record(lease, recorded(text, at), [], call);
      assert.deepEqual(await store.find(lease.run, at), recorded(text, at));
      assert.deepEqual(await store.facts(lease.run, at), facts);
    }
  }),
  testCase("returns JSON values unchanged, with members in order", async (store) => {
    const lease = await heldRun(store, "slogan");
    const values = [null, 4, "Warm.", ["text"], { text: null }, { a: 1, text: "Warm.", b: "" }];
    for (const [index, value] of values.entries()) {
      const at = key("step", index);
      await store.record(lease, { ...recorded("", at), value }, []);
      const found = await store.find(lease.run, at);
      assert.equal(JSON.stringify(found?.value), JSON.stringify(value));
    }
  }),
  testCase("a record without a call has no request", async (store) => {
    const lease = await heldRun(store, "slogan");
    await store.record(lease, recorded("a step"), []);
    assert.equal(await store.facts(lease.run, create), undefined);
    assert.equal(await store.facts(lease.run, key("never")), undefined);
  }),
  testCase("keeps the first reply at a key and refuses a different question", async (store) => {
    const lease = await heldRun(store, "slogan");
    await store.record(lease, recorded("first"), []);
    await store.record(lease, recorded("second"), []);
    assert.deepEqual(await store.find(lease.run, create), recorded("first"));
    const other = { ...recorded("third"), digest: otherQuestion };
    await rejectsWith("record-differs", store.record(lease, other, [happened(lease, 1)]));
    assert.deepEqual(await store.find(lease.run, create), recorded("first"));
    assert.deepEqual(await store.events(lease.run, 0, 10), []);
  }),
  testCase("returns events in order and keeps the first of each number", async (store) => {
    const lease = await heldRun(store, "slogan");
    await store.appendEvents(lease, [happened(lease, 1), happened(lease, 2)]);
    await store.appendEvents(lease, [happened(lease, 2, "replayed"), happened(lease, 3)]);
    await store.record(lease, recorded("reply"), [happened(lease, 3, "again")]);
    const all = [1, 2, 3].map((seq) => happened(lease, seq));
    assert.deepEqual(await store.events(lease.run, 0, 10), all);
    assert.deepEqual(await store.events(lease.run, 1, 1), [happened(lease, 2)]);
    assert.deepEqual(await store.events(lease.run, 3, 10), []);
  }),
  testCase("stores the events passed with the start of a call", async (store) => {
    const lease = await heldRun(store, "slogan");
    const start = { key: create, digest: otherQuestion, model: "m", reserve: {}, at: minute(1) };
    await store.start(lease, start, [happened(lease, 1)]);
    assert.deepEqual(await store.events(lease.run, 0, 10), [happened(lease, 1)]);
  }),
  testCase("numbers the attempts at a key, across lease takeovers too", async (store) => {
    const first = await heldRun(store, "slogan");
    assert.deepEqual(await begin(store, first, {}), { kind: "reserved", attempt: 1 });
    await store.fail(first, create, attemptEnd(1), failure);
    assert.deepEqual(await begin(store, first, {}), { kind: "reserved", attempt: 2 });
    const second = await takeLease(store, first.run, 2);
    assert.deepEqual(await begin(store, second, {}), { kind: "reserved", attempt: 3 });
  }),
  testCase("refuses to close an attempt that was never started", async (store) => {
    const lease = await heldRun(store, "slogan");
    const call = { facts: creatorFacts, end: attemptEnd(4) };
    await rejectsWith("attempt-unknown", store.record(lease, recorded("reply"), [], call));
    assert.equal(await store.find(lease.run, create), undefined);
  }),
  testCase("refuses every write with a stale lease", async (store) => {
    const stale = await heldRun(store, "slogan");
    await begin(store, stale, {});
    const current = await takeLease(store, stale.run, 2);
    const finished = { kind: "finished", result: "stale" } as const;
    const question = { kind: "choice", text: "Which?", choices: [], context: {} };
    const decision = { id: "q", run: stale.run, key: "ask", question, askedAt: minute(3) };
    const writes = (lease: Lease) => [
      store.record(lease, recorded("late"), [happened(stale, 1)]),
      begin(store, lease, {}),
      store.fail(lease, create, attemptEnd(1), failure),
      store.appendEvents(lease, [happened(stale, 1)]),
      store.end(lease, finished, [happened(stale, 1)], minute(4)),
      store.markProjected(lease, 1),
      store.heartbeat(lease, { since: minute(8), expires: minute(9) }),
      store.openDecision(lease, decision),
    ];
    const sameEpoch = { ...current, token: stale.token };
    await Promise.all(
      [stale, sameEpoch].flatMap(writes).map((write) => rejectsWith("lease-lost", write)),
    );
    assert.equal(await store.find(stale.run, create), undefined);
    assert.deepEqual(await store.events(stale.run, 0, 10), []);
    assert.equal(await store.findDecision("q"), undefined);
    const run = await store.load(stale.run);
    assert.equal(run?.state, "running");
    assert.equal(run.epoch, current.epoch);
    assert.equal(run.projectedSeq, 0);
  }),
  testCase("a refused write does not affect concurrent writes", async (store) => {
    const lease = await heldRun(store, "slogan");
    const stale = { ...lease, epoch: lease.epoch - 1 };
    const keys = [1, 2, 3].map((turn) => key("turn", turn, "create"));
    const results = await Promise.allSettled([
      ...keys.map((at) => store.record(lease, recorded("kept", at), [])),
      store.record(stale, recorded("refused", key("turn", 9)), []),
      store.appendEvents(lease, [happened(lease, 1)]),
    ]);
    assert.deepEqual(
      results.map(({ status }) => status),
      ["fulfilled", "fulfilled", "fulfilled", "rejected", "fulfilled"],
    );
    for (const at of keys) {
      assert.deepEqual(await store.find(lease.run, at), recorded("kept", at));
    }
    assert.equal(await store.find(lease.run, key("turn", 9)), undefined);
    assert.equal((await store.events(lease.run, 0, 10)).length, 1);
  }),
];
