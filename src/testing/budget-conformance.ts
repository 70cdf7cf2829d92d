import assert from "node:assert/strict";
import { type Key, key } from "../domain/values/ids.ts";
import type { Json } from "../domain/values/json.ts";
import type { Budget } from "../ports/flow.ts";
import type { Lease } from "../ports/journal.ts";
import type { RunStore } from "../ports/run-store.ts";
import { type ConformanceCase, testCase } from "./conformance-case.ts";
import {
  attemptEnd,
  begin,
  create,
  failure,
  heldRun,
  minute,
  reply,
  takeLease,
} from "./run-store-stories.ts";

const review = key("turn", 1, "review");

/** Expects a refusal with these figures: spent + reserved + asked > limit. */
async function refuses(
  store: RunStore,
  lease: Lease,
  reserve: Budget,
  figures: string,
  at?: Key,
): Promise<void> {
  const started = await begin(store, lease, reserve, at);
  assert.ok(started.kind === "over-budget");
  const { bound, limit, spent, reserved, asked } = started.facts as {
    readonly [name: string]: Json;
  };
  assert.equal(`${bound}: ${spent} + ${reserved} + ${asked} > ${limit}`, figures);
}

/** How reservations, costs and limits add up. */
export const budgetConformance: readonly ConformanceCase<RunStore>[] = [
  testCase("refuses a reservation over the limit and reports the figures", async (store) => {
    const lease = await heldRun(store, "slogan", { budget: { tokens: 100 } });
    assert.equal((await begin(store, lease, { tokens: 60 })).kind, "reserved");
    await refuses(store, lease, { tokens: 41 }, "tokens: 0 + 60 + 41 > 100", review);
    assert.equal((await begin(store, lease, { tokens: 40 }, review)).kind, "reserved");
  }),
  testCase("a reply replaces its reservation with its actual cost", async (store) => {
    const lease = await heldRun(store, "slogan", { budget: { microUsd: 1000, seconds: 10 } });
    await begin(store, lease, { microUsd: 900, seconds: 8 });
    const end = attemptEnd(1, { input: 10, output: 5, microUsd: 250 }, 2.5);
    await reply(store, lease, end);
    await refuses(store, lease, { microUsd: 751 }, "micro_usd: 250 + 0 + 751 > 1000", review);
    await refuses(
      store,
      lease,
      { microUsd: 750, seconds: 7.501 },
      "seconds: 2.5 + 0 + 7.501 > 10",
      review,
    );
    const fits = await begin(store, lease, { microUsd: 750, seconds: 7.5 }, review);
    assert.equal(fits.kind, "reserved");
  }),
  testCase("a reply without usage figures costs its reservation, only once", async (store) => {
    const lease = await heldRun(store, "slogan", { budget: { tokens: 100 } });
    await begin(store, lease, { tokens: 70 });
    await reply(store, lease, attemptEnd(1));
    await reply(store, lease, attemptEnd(1));
    await refuses(store, lease, { tokens: 31 }, "tokens: 70 + 0 + 31 > 100", review);
  }),
  testCase("a failed attempt releases its reservation, but its time counts", async (store) => {
    const lease = await heldRun(store, "slogan", { budget: { tokens: 100, seconds: 10 } });
    await begin(store, lease, { tokens: 100, seconds: 10 });
    await store.fail(lease, create, attemptEnd(1, undefined, 4), failure);
    await refuses(store, lease, { tokens: 100, seconds: 6.1 }, "seconds: 4 + 0 + 6.1 > 10");
    assert.equal((await begin(store, lease, { tokens: 100, seconds: 6 })).kind, "reserved");
  }),
  testCase("children and grandchildren spend the top run's budget", async (store) => {
    const pack = await heldRun(store, "pack", { budget: { tokens: 100 } });
    const child = await heldRun(store, "child", { parent: pack.run, budget: { tokens: 5 } });
    const grandchild = await heldRun(store, "grandchild", { parent: child.run });
    assert.equal((await store.load(grandchild.run))?.top, pack.run);
    await begin(store, child, { tokens: 30 });
    await begin(store, grandchild, { tokens: 30 });
    const end = attemptEnd(1, { input: 20, output: 20 });
    await reply(store, grandchild, end);
    await refuses(store, pack, { tokens: 31 }, "tokens: 40 + 30 + 31 > 100");
    assert.equal((await begin(store, pack, { tokens: 30 })).kind, "reserved");
  }),
  testCase("attempts left open by an earlier holder count as spent", async (store) => {
    const first = await heldRun(store, "slogan", { budget: { tokens: 100, microUsd: 50 } });
    await begin(store, first, { tokens: 60, microUsd: 20 });
    const second = await takeLease(store, first.run, 2);
    await refuses(store, second, { tokens: 41 }, "tokens: 60 + 0 + 41 > 100");
  }),
  testCase("attempts still open when the run ends count as spent", async (store) => {
    const pack = await heldRun(store, "pack", { budget: { tokens: 100 } });
    const child = await heldRun(store, "child", { parent: pack.run });
    await begin(store, child, { tokens: 60 });
    await store.end(child, { kind: "cancelled", reason: "enough" }, [], minute(5));
    await refuses(store, pack, { tokens: 41 }, "tokens: 60 + 0 + 41 > 100");
  }),
  testCase("raising the budget lets the next execution continue", async (store) => {
    const lease = await heldRun(store, "slogan", { budget: { tokens: 10, seconds: 60 } });
    assert.equal((await begin(store, lease, { tokens: 11 })).kind, "over-budget");
    await store.end(lease, { kind: "stopped", reason: "budget", facts: {} }, [], minute(3));
    await store.reopen(lease.run, { budget: { tokens: 20 } });
    assert.deepEqual((await store.load(lease.run))?.budget, { tokens: 20, seconds: 60 });
    const next = await takeLease(store, lease.run, 1);
    assert.equal((await begin(store, next, { tokens: 11 })).kind, "reserved");
  }),
  testCase("a budget set later counts what was already spent and reserved", async (store) => {
    const pack = await heldRun(store, "pack");
    const child = await heldRun(store, "child", { parent: pack.run });
    await begin(store, child, { tokens: 90 });
    const end = attemptEnd(1, { input: 20, output: 20 });
    await reply(store, child, end);
    await begin(store, child, { tokens: 70 }, review);
    await store.fail(child, review, attemptEnd(1), failure);
    await begin(store, child, { tokens: 30 }, review);
    await store.reopen(pack.run, { budget: { tokens: 100 } });
    await refuses(store, pack, { tokens: 31 }, "tokens: 40 + 30 + 31 > 100");
  }),
];
