import assert from "node:assert/strict";
import { type Instant, instant } from "../domain/values/instant.ts";
import type { PeopleRepo, Person } from "../ports/people-repo.ts";
import type { Repos } from "../ports/repos.ts";
import type { Store } from "../ports/store.ts";
import { type ConformanceCase, testCase } from "./conformance-case.ts";

/** Far from today, because a shared store goes by its own time. */
const past = instant("2020-01-01T00:00:00.000Z");
const future = instant("2999-01-01T00:00:00.000Z");
const now = instant("2026-11-18T09:00:00.000Z");

const ann: Person = { name: "Ann", role: "run", addedAt: past };
const jon: Person = { name: "Jon", role: "decide", addedAt: past };

function on(store: Store<Repos>) {
  return <T>(work: (people: PeopleRepo) => Promise<T>): Promise<T> =>
    store.transaction((repos) => work(repos.people));
}

function session(digest: string, tokenDigest: string, expiresAt: Instant) {
  return { digest, tokenDigest, now, expiresAt };
}

/** What a store guarantees about people. Each case needs an empty store. */
export const peopleConformance: readonly ConformanceCase<Store<Repos>>[] = [
  testCase("people are known by name and by token until they are removed", async (store) => {
    const people = on(store);
    assert.equal(await people((repo) => repo.add(jon, "jon's")), true);
    assert.equal(await people((repo) => repo.add(ann, "ann's")), true);
    assert.equal(await people((repo) => repo.add({ ...jon, role: "run" }, "another")), false);
    assert.deepEqual(await people((repo) => repo.list()), [ann, jon]);
    assert.deepEqual(await people((repo) => repo.byToken("jon's")), jon);
    assert.equal(await people((repo) => repo.byToken("another")), undefined);
    assert.equal(await people((repo) => repo.remove("Jon")), true);
    assert.equal(await people((repo) => repo.remove("Jon")), false);
    assert.deepEqual(await people((repo) => repo.list()), [ann]);
  }),
  testCase("a session ends by expiry, by closing it and with its token", async (store) => {
    const people = on(store);
    await people((repo) => repo.add(ann, "ann's"));
    const who = (digest: string) => people((repo) => repo.bySession(digest, now));
    for (const [digest, until] of [
      ["open", future],
      ["closed", future],
    ] as const) {
      await people((repo) => repo.openSession(session(digest, "ann's", until)));
    }
    await people((repo) => repo.openSession(session("expired", "ann's", past)));
    await people((repo) => repo.closeSession("closed"));
    assert.deepEqual(await who("open"), ann);
    assert.equal(await who("closed"), undefined);
    assert.equal(await who("expired"), undefined);
    assert.equal(await who("never opened"), undefined);
    await people((repo) => repo.remove("Ann"));
    assert.equal(await who("open"), undefined);
    // The same name with a new token is not the old session's.
    await people((repo) => repo.add(ann, "ann's second"));
    assert.equal(await who("open"), undefined);
    await people((repo) => repo.openSession(session("late", "ann's", future)));
    assert.equal(await who("late"), undefined);
  }),
  testCase("an item belongs to one person until they leave it or disconnect", async (store) => {
    const people = on(store);
    const attend = (item: string, name: string, until: Instant) =>
      people((repo) => repo.attend({ item, name, until, now }));
    const atWork = () => people((repo) => repo.atWork(now));
    await attend("b", "Jon", future);
    await attend("a", "Jon", past);
    await attend("a", "Jon", future);
    await attend("a", "Ann", future);
    const all = [
      { item: "a", name: "Ann" },
      { item: "a", name: "Jon" },
      { item: "b", name: "Jon" },
    ];
    assert.deepEqual(await atWork(), all);
    await attend("b", "Jon", past);
    await people((repo) => repo.leave({ item: "a", name: "Jon" }));
    assert.deepEqual(await atWork(), [{ item: "a", name: "Ann" }]);
  }),
];
