import { setImmediate as nextRound } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../tests/support/manual-clock.ts";
import type { StoredEvent } from "../../ports/journal.ts";
import type { Projector } from "../../ports/projector.ts";
import type { RunRecord } from "../../ports/run-store.ts";
import { heldRun } from "../../testing/run-store-stories.ts";
import { openMemoryStore } from "../persistence/sqlite/open-store.ts";
import { Projection } from "./projection.ts";

/** A projection of the podcast's run; `heard` gets the numbers of the events that were handed over together. */
async function podcast(
  apply: () => Promise<void> = async () => undefined,
  others: readonly Projector[] = [],
) {
  const { runs: store } = openMemoryStore();
  const lease = await heldRun(store, "podcast");
  const { run } = lease;
  const clock = new ManualClock();
  const heard: (readonly number[])[] = [];
  const projector = {
    kinds: ["page-written"],
    apply: (events: readonly StoredEvent[]) => {
      heard.push(events.map(({ seq }) => seq));
      return apply();
    },
  };
  const projection = new Projection({
    store,
    projectors: [projector, ...others],
    crash: { reach: () => undefined },
    clock,
    lease,
    record: (await store.load(run)) as RunRecord,
  });
  const tell = (seq: number, kind = "page-written") =>
    projection.begin([{ run, seq, kind, data: null }]);
  const tellAll = (numbers: readonly number[]) =>
    projection.begin(numbers.map((seq) => ({ run, seq, kind: "page-written", data: null })));
  return { projection, heard, clock, tell, tellAll, load: () => store.load(run) };
}

describe("Projection", () => {
  it("hands over together, in order, what came within a moment", async () => {
    const { heard, clock, tell } = await podcast();
    tell(1);
    tell(2, "page-counted");
    tell(3);
    await nextRound();
    expect(heard).toEqual([]);
    await clock.advance(50);
    tell(4);
    await clock.advance(50);
    expect(heard).toEqual([[1, 3], [4]]);
  });

  it("hands each projector what it wants for this kind of job, and calls none for nothing", async () => {
    const counted: (readonly number[])[] = [];
    const apply = async (events: readonly StoredEvent[]) =>
      void counted.push(events.map(({ seq }) => seq));
    const { projection, heard, tell, load } = await podcast(undefined, [
      { kinds: ["page-counted"], jobs: ["draft"], apply },
      { kinds: ["page-counted"], jobs: ["episode"], apply },
    ]);
    tell(1);
    tell(2, "page-counted");
    tell(3, "page-forgotten");
    await projection.settle();
    tell(4, "page-counted");
    await projection.settle();
    expect([heard, counted]).toEqual([[[1]], [[2], [4]]]);
    expect(await load()).toMatchObject({ projectedSeq: 4 });
  });

  it("stops gathering once a caller waits, and marks what is done", async () => {
    const { projection, heard, clock, tell, load } = await podcast();
    tell(1);
    tell(2);
    await projection.settle();
    expect(heard).toEqual([[1, 2]]);
    expect(clock.pending()).toEqual([]);
    expect(await load()).toMatchObject({ projectedSeq: 2 });
  });

  it("lets sixteen events wait at most, and those that come meanwhile follow them", async () => {
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const { projection, heard, tell } = await podcast(() => finished);
    for (let seq = 1; seq <= 16; seq += 1) tell(seq);
    await nextRound();
    expect(heard).toHaveLength(1);
    tell(17);
    finish();
    await projection.ended();
    expect(heard).toEqual([Array.from({ length: 16 }, (_, at) => at + 1), [17]]);
  });

  it("passes on at most sixteen at once, even if a replay emits more", async () => {
    const { projection, heard, tellAll } = await podcast();
    tellAll(Array.from({ length: 40 }, (_, at) => at + 1));
    await projection.ended();
    expect(heard.map((numbers) => numbers.length)).toEqual([16, 16, 8]);
    expect(heard.flat()).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
  });

  it("has room while one batch is written, not while a second one waits for it", async () => {
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const { projection, clock, tell } = await podcast(() => finished);
    tell(1);
    await projection.room();
    await clock.advance(50);
    await projection.room();
    tell(2);
    await projection.room();
    await clock.advance(50);
    let hasRoom = false;
    const room = projection.room().then(() => {
      hasRoom = true;
    });
    await nextRound();
    expect(hasRoom).toBe(false);
    finish();
    await room;
  });

  it("gives up what only waits when it has to be quiet", async () => {
    const { projection, heard, clock, tell } = await podcast();
    tell(1);
    await clock.advance(50);
    tell(2);
    await projection.quiet();
    await clock.advance(50);
    expect(heard).toEqual([[1]]);
    expect(clock.pending()).toEqual([]);
  });

  it("has no room any more when something could not be written, and marks nothing", async () => {
    const { projection, clock, tell, load } = await podcast(async () => {
      throw new Error("disk full");
    });
    tell(1);
    await clock.advance(50);
    await expect(projection.room()).rejects.toThrow("disk full");
    tell(2);
    await expect(projection.room()).rejects.toThrow("disk full");
    await expect(projection.settle()).rejects.toThrow("disk full");
    expect(await load()).toMatchObject({ projectedSeq: 0 });
  });
});
