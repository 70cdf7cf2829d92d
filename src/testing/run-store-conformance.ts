import assert from "node:assert/strict";
import { key, runId } from "../domain/values/ids.ts";
import { type Instant, secondsBetween } from "../domain/values/instant.ts";
import type { Question } from "../ports/question.ts";
import type { Holder, Owner, RunStore, Term } from "../ports/run-store.ts";
import { budgetConformance } from "./budget-conformance.ts";
import { type ConformanceCase, testCase } from "./conformance-case.ts";
import { journalConformance } from "./journal-conformance.ts";
import {
  bakeryQuestion,
  begin,
  create,
  happened,
  heldRun,
  holder,
  minute,
  otherQuestion,
  recorded,
  rejectsWith,
  sloganRun,
  takeLease,
} from "./run-store-stories.ts";

const which: Question = {
  kind: "choice",
  text: "Which slogan?",
  choices: ["first", "second"],
  context: { turn: 3 },
};
const finished = { kind: "finished", result: { slogan: "Warm since four." } } as const;

const runs: readonly ConformanceCase<RunStore>[] = [
  testCase("creating a job twice creates one run", async (store) => {
    const created = await store.create(sloganRun("slogan", { budget: { tokens: 5 } }));
    const { job } = sloganRun("slogan", { budget: { tokens: 5 } });
    assert.deepEqual(created, {
      run: runId("slogan"),
      job,
      inputDigest: bakeryQuestion,
      state: "queued",
      epoch: 0,
      top: runId("slogan"),
      projectedSeq: 0,
      acceptsChanges: false,
      settings: job.settings,
      budget: { tokens: 5 },
      updatedAt: job.createdAt,
    });
    const again = await store.create({ ...sloganRun("other name"), job });
    assert.deepEqual(again, created);
    assert.equal(await store.load(runId("other name")), undefined);
  }),
  testCase("finds the newest unfinished run of an input", async (store) => {
    assert.equal(await store.findUnfinished("draft", bakeryQuestion), undefined);
    await store.create(sloganRun("older", { createdAt: minute(1) }));
    await store.create(sloganRun("newer", { createdAt: minute(2) }));
    const lease = await heldRun(store, "newest", { createdAt: minute(3) });
    assert.equal((await store.findUnfinished("draft", bakeryQuestion))?.run, "newest");
    await store.end(lease, finished, [], minute(4));
    assert.equal((await store.findUnfinished("draft", bakeryQuestion))?.run, "newer");
    await store.requestCancel(runId("newer"), "not wanted", minute(5));
    assert.equal((await store.findUnfinished("draft", bakeryQuestion))?.run, "older");
    assert.equal(await store.findUnfinished("draft", otherQuestion), undefined);
    assert.equal(await store.findUnfinished("episode", bakeryQuestion), undefined);
  }),
  testCase("the id of a run is refused for another input", async (store) => {
    const created = await store.create(sloganRun("slogan"));
    const other = { ...sloganRun("slogan"), inputDigest: otherQuestion };
    await rejectsWith("run-exists", store.create(other));
    assert.deepEqual(await store.create(sloganRun("slogan")), created);
  }),

  testCase("unlessUnfinished lets concurrent creates share one run", async (store) => {
    const made = await Promise.all(
      ["one", "two", "three"].map((name) =>
        store.create({ ...sloganRun(name), unlessUnfinished: true }),
      ),
    );
    assert.equal(new Set(made.map(({ run }) => run)).size, 1);
    const apart = await store.create(sloganRun("four"));
    assert.equal(apart.run, runId("four"));
  }),
  testCase("discard removes the recorded value and the ending that named it", async (store) => {
    const lease = await heldRun(store, "garbled");
    await store.record(lease, { key: key("write"), digest: bakeryQuestion, value: "@#!" }, []);
    const error = { code: "reply-unusable", message: "?", retryable: false, facts: {} };
    await store.end(lease, { kind: "failed", error }, [], minute(2));
    const next = await takeLease(store, lease.run, 2);
    await store.discard(next, [key("write")]);
    assert.equal(await store.find(lease.run, key("write")), undefined);
    assert.equal((await store.load(lease.run))?.ending, undefined);
  }),
  testCase("lists children of a run and requires the parent to exist", async (store) => {
    const parent = await store.create(sloganRun("pack"));
    const second = { parent: parent.run, createdAt: minute(2) };
    const first = { parent: parent.run, createdAt: minute(1) };
    await store.create(sloganRun("second", second));
    await store.create(sloganRun("first", first));
    const children = await store.listChildren(parent.run);
    assert.deepEqual(
      children.map(({ run }) => run),
      ["first", "second"],
    );
    const orphan = store.create(sloganRun("orphan", { parent: runId("unknown") }));
    await rejectsWith("run-unknown", orphan);
  }),
];

const leases: readonly ConformanceCase<RunStore>[] = [
  testCase("takes over a held lease only if allowed, and raises the epoch", async (store) => {
    const { run } = await store.create(sloganRun("slogan"));
    const first = await takeLease(store, run, 1);
    const refused = await store.acquire(run, holder(2), (present) => present.pid !== 1);
    assert.ok(refused.kind === "held");
    assert.deepEqual(ownerOf(refused.holder), ownerOf(holder(1)));
    const second = await takeLease(store, run, 2);
    assert.equal(second.epoch, first.epoch + 1);
    const present = (await store.load(run))?.holder;
    assert.deepEqual(ownerOf(present), ownerOf(holder(2)));
    assert.equal(secondsOf(present), 60);
  }),
  testCase("asks whether a lease may be taken at the time of the store", async (store) => {
    const { run } = await store.create(sloganRun("slogan"));
    await takeLease(store, run, 1);
    const times: Instant[] = [];
    const isExpired = (present: Holder, now: Instant): boolean => {
      times.push(now);
      return present.expires <= now;
    };
    const refused = await store.acquire(run, holder(2), isExpired);
    assert.equal(refused.kind, "held");
    const since = (await store.load(run))?.holder?.since;
    assert.ok(since !== undefined && times[0] !== undefined && times[0] >= since);
  }),
  testCase("a heartbeat extends the lease and returns the cancel reason", async (store) => {
    const { run } = await store.create(sloganRun("slogan"));
    const lease = await takeLease(store, run, 1, { ...holder(1), expires: minute(1) });
    assert.equal(await store.heartbeat(lease, { since: minute(6), expires: minute(7) }), undefined);
    const extended = (await store.load(lease.run))?.holder;
    assert.ok(secondsOf(extended) >= 60);
    await store.requestCancel(lease.run, "wrong brief", minute(3));
    await store.requestCancel(lease.run, "second thoughts", minute(3));
    assert.equal((await store.load(lease.run))?.state, "running");
    assert.equal(
      await store.heartbeat(lease, { since: minute(7), expires: minute(8) }),
      "wrong brief",
    );
  }),
  testCase("ending a run stores its last events and releases the lease", async (store) => {
    const lease = await heldRun(store, "slogan");
    await store.end(lease, finished, [happened(lease, 1)], minute(5));
    const run = await store.load(lease.run);
    assert.equal(run?.state, "finished");
    assert.deepEqual(run.ending, finished);
    assert.equal(run.holder, undefined);
    assert.equal(run.updatedAt, minute(5));
    assert.deepEqual(await store.events(lease.run, 0, 9), [happened(lease, 1)]);
  }),
  testCase("starting a call can raise the projected mark, never lower it", async (store) => {
    const lease = await heldRun(store, "slogan");
    const start = { key: create, digest: bakeryQuestion, model: "test/model", reserve: {} };
    const at = minute(2);
    await store.start(lease, { ...start, at }, [happened(lease, 1), happened(lease, 2)]);
    assert.equal((await store.load(lease.run))?.projectedSeq, 0);
    await store.start(lease, { ...start, at, projected: 2 }, []);
    await store.start(lease, { ...start, at, projected: 1 }, []);
    assert.equal((await store.load(lease.run))?.projectedSeq, 2);
  }),
  testCase("after the ending, a lease may only mark events as projected", async (store) => {
    const lease = await heldRun(store, "slogan");
    await store.end(lease, finished, [happened(lease, 1), happened(lease, 2)], minute(5));
    await store.markProjected(lease, 2);
    await store.markProjected(lease, 1);
    assert.equal((await store.load(lease.run))?.projectedSeq, 2);
    await rejectsWith("lease-lost", store.record(lease, recorded("late"), []));
    await rejectsWith("lease-lost", begin(store, lease, {}));
    await rejectsWith("lease-lost", store.end(lease, finished, [], minute(6)));
  }),
  testCase("finished and cancelled runs cannot be acquired or reopened", async (store) => {
    const lease = await heldRun(store, "slogan");
    await store.end(lease, finished, [], minute(5));
    await store.requestCancel(lease.run, "too late", minute(6));
    assert.equal((await store.load(lease.run))?.state, "finished");
    await store.create(sloganRun("dropped"));
    await store.requestCancel(runId("dropped"), "not wanted", minute(6));
    for (const run of [lease.run, runId("dropped")]) {
      await rejectsWith("run-over", store.reopen(run, {}));
      await rejectsWith(
        "run-over",
        store.acquire(run, holder(3), () => true),
      );
    }
  }),
  testCase("cancels at once when no lease is held or the lease has expired", async (store) => {
    await store.create(sloganRun("queued"));
    await store.requestCancel(runId("queued"), "not wanted", minute(2));
    const queued = await store.load(runId("queued"));
    assert.deepEqual(queued?.ending, { kind: "cancelled", reason: "not wanted" });
    assert.equal(queued?.state, "cancelled");
    const { run } = await store.create(sloganRun("silent"));
    const silent = await takeLease(store, run, 1, { ...holder(1), expires: minute(1) });
    await store.requestCancel(silent.run, "gone", minute(30));
    assert.equal((await store.load(silent.run))?.state, "cancelled");
    await rejectsWith("lease-lost", store.record(silent, recorded("woke up"), []));
    await rejectsWith("lease-lost", store.markProjected(silent, 1));
    await rejectsWith("run-unknown", store.requestCancel(runId("no"), "?", minute(3)));
  }),
  testCase("a cancel request overrides every ending except finished", async (store) => {
    const stopped = { kind: "stopped", reason: "interrupted", facts: {} } as const;
    const lease = await heldRun(store, "slogan");
    assert.deepEqual(await store.end(lease, stopped, [], minute(3)), stopped);
    const next = await takeLease(store, lease.run, 2);
    await store.requestCancel(next.run, "wrong brief", minute(1));
    const cancelled = { kind: "cancelled", reason: "wrong brief" } as const;
    assert.deepEqual(await store.end(next, stopped, [], minute(4)), cancelled);
    assert.deepEqual((await store.load(next.run))?.ending, cancelled);
    const done = await heldRun(store, "done");
    await store.requestCancel(done.run, "wrong brief", minute(1));
    assert.deepEqual(await store.end(done, finished, [], minute(4)), finished);
  }),
  testCase("cancelling a run cancels its present and future children", async (store) => {
    const pack = await heldRun(store, "pack");
    const first = await heldRun(store, "first", { parent: pack.run });
    await store.create(sloganRun("second", { parent: pack.run }));
    await store.requestCancel(pack.run, "wrong pack", minute(1));
    assert.equal(
      await store.heartbeat(first, { since: minute(7), expires: minute(8) }),
      "wrong pack",
    );
    assert.equal((await store.load(runId("second")))?.state, "cancelled");
    const third = await store.create(sloganRun("third", { parent: pack.run }));
    assert.equal(third.cancelReason, "wrong pack");
  }),
  testCase("reopening queues the run and resets acceptance of changes", async (store) => {
    const changed = { kind: "stopped", reason: "definition-changed", facts: {} } as const;
    const lease = await heldRun(store, "slogan");
    await store.end(lease, changed, [], minute(3));
    await store.reopen(lease.run, { acceptChanges: true });
    const open = await store.load(lease.run);
    assert.equal(open?.state, "queued");
    assert.equal(open.acceptsChanges, true);
    assert.deepEqual(open.ending, changed);
    const next = await takeLease(store, lease.run, 2);
    await store.reopen(next.run, {});
    assert.equal((await store.load(next.run))?.acceptsChanges, true);
    assert.equal((await store.load(next.run))?.state, "running");
    await store.end(next, changed, [], minute(4));
    await store.reopen(next.run, {});
    assert.equal((await store.load(next.run))?.acceptsChanges, false);
  }),
  testCase("reopening moves a run to another task, but no run that has none", async (store) => {
    await store.create({ ...sloganRun("elsewhere"), task: "execute-0" });
    await store.create(sloganRun("here"));
    await store.reopen(runId("elsewhere"), { task: "execute-1" });
    await store.reopen(runId("here"), { task: "execute-1" });
    assert.equal((await store.load(runId("elsewhere")))?.task, "execute-1");
    assert.equal((await store.load(runId("here")))?.task, undefined);
  }),
];

const settings: readonly ConformanceCase<RunStore>[] = [
  testCase("keeps the settings of a job, and those given when it is resumed", async (store) => {
    const job = { ...sloganRun("slogan").job, settings: { timeout: 30, attempts: 2 } };
    await store.create({ ...sloganRun("slogan"), job });
    const lease = await takeLease(store, sloganRun("slogan").run, 1);
    await store.end(lease, { kind: "stopped", reason: "interrupted", facts: {} }, [], minute(3));
    await store.reopen(lease.run, { settings: { timeout: 120 } });
    await store.reopen(lease.run, {});
    const open = await store.load(lease.run);
    assert.deepEqual(open?.settings, { timeout: 120, attempts: 2 });
    assert.deepEqual(open.job.settings, job.settings);
  }),
];

const decisions: readonly ConformanceCase<RunStore>[] = [
  testCase("stores a question once and accepts one answer", async (store) => {
    const lease = await heldRun(store, "slogan");
    const asked = { id: "q1", run: lease.run, key: "ask", question: which, askedAt: minute(2) };
    const opened = await store.openDecision(lease, asked);
    assert.deepEqual(opened, { ...asked, version: 1 });
    assert.deepEqual(await store.openDecision(lease, { ...asked, askedAt: minute(9) }), opened);
    const ann = { choice: "first", by: "Ann", at: minute(3) };
    const ben = { choice: "second", by: "Ben", comment: "shorter", at: minute(3) };
    assert.equal(await store.answer("q1", ann, 7), "already-decided");
    const both = await Promise.all([store.answer("q1", ann, 1), store.answer("q1", ben, 1)]);
    assert.deepEqual(both, ["recorded", "already-decided"]);
    assert.equal(await store.answer("q1", ben, 2), "already-decided");
    const decided = { ...opened, answer: ann, version: 2 };
    assert.deepEqual(await store.findDecision("q1"), decided);
    assert.deepEqual(await store.openDecision(lease, asked), decided);
  }),
  testCase("does not end as waiting when nothing is left to wait for", async (store) => {
    const lease = await heldRun(store, "slogan");
    const asked = { id: "q1", run: lease.run, key: "ask", question: which, askedAt: minute(2) };
    await store.openDecision(lease, asked);
    const waiting = { kind: "waiting", decisions: ["q1"] } as const;
    assert.deepEqual(await store.end(lease, waiting, [], minute(3)), waiting);
    const again = await takeLease(store, lease.run, 2);
    await store.answer("q1", { choice: "first", by: "Ann", at: minute(3) }, 1);
    const child = await heldRun(store, "child", { parent: lease.run });
    assert.deepEqual(await store.end(again, waiting, [], minute(4)), waiting);
    const last = await takeLease(store, lease.run, 3);
    await store.end(child, finished, [], minute(4));
    assert.equal(await store.end(last, waiting, [], minute(5)), undefined);
    const queued = await store.load(lease.run);
    assert.deepEqual([queued?.state, queued?.holder], ["queued", undefined]);
  }),
  testCase("refuses an answer to an unknown question", async (store) => {
    const answer = store.answer("q9", { choice: "x", by: "Ann", at: minute(1) }, 1);
    await rejectsWith("decision-unknown", answer);
    assert.equal(await store.findDecision("q9"), undefined);
  }),
];

/** What a run store guarantees, journal and budgets included. Each case needs an empty store. */
export const runStoreConformance: readonly ConformanceCase<RunStore>[] = [
  ...runs,
  ...leases,
  ...settings,
  ...decisions,
  ...journalConformance,
  ...budgetConformance,
];

function ownerOf(holder: Holder | undefined): Owner | undefined {
  return holder && { host: holder.host, pid: holder.pid, processStart: holder.processStart };
}

/** The length of a term; a shared store begins it at its own time. */
function secondsOf(term: Term | undefined): number {
  return term === undefined ? 0 : secondsBetween(term.since, term.expires);
}
