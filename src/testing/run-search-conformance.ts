import assert from "node:assert/strict";
import { type RunId, runId } from "../domain/values/ids.ts";
import type { ListedRun, RunCursor, RunLine, RunPage } from "../ports/repos.ts";
import { type ConformanceCase, testCase } from "./conformance-case.ts";
import {
  attemptEnd,
  begin,
  heldRun,
  minute,
  reply,
  type StoreSubject,
  sloganRun,
} from "./run-store-stories.ts";

/** Named by the run; what became of it is its ending, or the last act of a person. */
function lineOf({ record, rulings }: ListedRun): RunLine {
  const outcome = rulings.at(-1)?.act ?? record.ending?.kind;
  return { title: `50%_off Crème ${record.run}`, ...(outcome === undefined ? {} : { outcome }) };
}

const update = (store: StoreSubject, limit = 9): Promise<number> =>
  store.transaction(({ runs }) => runs.updateLines(limit, lineOf));

const found = (store: StoreSubject, page: Partial<RunPage>): Promise<string> =>
  store.read(async ({ runs }) =>
    (await runs.list({ limit: 9, ...page })).map(({ run }) => run).join(),
  );

/** A minute apart each. */
async function createRuns(store: StoreSubject, ...names: readonly string[]): Promise<void> {
  for (const [at, name] of names.entries()) {
    await store.runs.create(sloganRun(name, { createdAt: minute(at) }));
  }
}

async function finish(store: StoreSubject, name: string, microUsd: number): Promise<RunId> {
  const lease = await heldRun(store.runs, name);
  await begin(store.runs, lease, {});
  await reply(store.runs, lease, attemptEnd(1, { input: 1, output: 1, microUsd }));
  await store.runs.end(lease, { kind: "finished", result: null }, [], minute(8));
  return lease.run;
}

/** Searches answer from lines that are derived from the runs. */
export const runSearchConformance: readonly ConformanceCase<StoreSubject>[] = [
  testCase("a search finds words in any case, newest first and by page", async (store) => {
    await createRuns(store, "rye", "rye-2", "oats", "rye-3");
    assert.equal(await update(store, 3), 3);
    assert.equal(await update(store, 3), 1);
    assert.equal(await update(store), 0);
    assert.equal(await found(store, { words: ["RYE", "draft"] }), "rye-3,rye-2,rye");
    assert.equal(await found(store, { words: ["rye"], limit: 1 }), "rye-3");
    const after = { createdAt: minute(3), run: runId("rye-3") };
    assert.equal(await found(store, { words: ["rye"], after }), "rye-2,rye");
    assert.equal(await found(store, { words: ["rye"], after, since: minute(1) }), "rye-2");
    assert.equal(await found(store, { words: ["rye"], state: "finished" }), "");
  }),
  testCase("a search can be cut after some lines", async (store) => {
    await createRuns(store, "rye", "oats", "corn");
    await update(store);
    const lineAfter = (n: number, after?: RunCursor) =>
      store.read(({ runs }) => runs.lineAfter(after, n));
    assert.equal(await lineAfter(2), minute(1));
    assert.equal(await lineAfter(4), undefined);
    const after = { createdAt: minute(2), run: runId("corn") };
    assert.equal(await lineAfter(2, after), minute(0));
    assert.equal(await lineAfter(3, after), undefined);
  }),
  testCase("a search takes signs and letters as they are", async (store) => {
    await createRuns(store, "rye");
    await update(store);
    assert.equal(await found(store, { words: ["50%_o", "CRÈME"] }), "rye");
    assert.equal(await found(store, { words: ["5%o"] }), "");
    assert.equal(await found(store, { words: ["50__off"] }), "");
  }),
  testCase("a line is out of date after each change of its run", async (store) => {
    const run = await finish(store, "rye", 30);
    assert.equal(await update(store), 1);
    assert.equal(await found(store, { outcome: "finished" }), "rye");
    const act = { run, act: "approve", by: "Ann", knownHow: "flag", at: minute(9) } as const;
    await store.transaction(({ rulings }) => rulings.append(act));
    assert.equal(await update(store), 1);
    assert.equal(await found(store, { outcome: "finished" }), "");
    assert.equal(await found(store, { outcome: "approve" }), "rye");
    await store.transaction(({ inbox }) => inbox.keepUnsigned({ run, since: minute(9) }));
    assert.equal(await store.read(({ inbox }) => inbox.isUnsigned(run)), true);
    assert.equal(await update(store), 1);
    await store.transaction(({ inbox }) => inbox.settle(run));
    assert.equal(await store.read(({ inbox }) => inbox.isUnsigned(run)), false);
    assert.equal(await update(store), 1);
    await store.transaction(({ removal }) => removal.remove(run));
    assert.equal(await found(store, { words: ["rye"] }), "");
  }),
  testCase("a search by cost counts what a run still spends", async (store) => {
    await finish(store, "rye", 30);
    const oats = await heldRun(store.runs, "oats");
    await update(store);
    assert.equal(await found(store, { minMicroUsd: 30 }), "rye");
    assert.equal(await found(store, { minMicroUsd: 31 }), "");
    await begin(store.runs, oats, {});
    await reply(store.runs, oats, attemptEnd(1, { input: 1, output: 1, microUsd: 40 }));
    assert.equal(await found(store, { minMicroUsd: 31 }), "oats");
  }),
];
