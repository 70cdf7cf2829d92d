import { beforeEach, describe, expect, it } from "vitest";
import { type RunId, runId } from "../../../domain/values/ids.ts";
import { type Instant, instantFromMillis } from "../../../domain/values/instant.ts";
import type { StoredEvent } from "../../../ports/journal.ts";
import type { Projector } from "../../../ports/projector.ts";
import { type ChangedRun, FileProjection, type ProjectionProgress } from "./file-projection.ts";

const hour = 3_600_000;

/** The record of a project, and one checkout of it. */
class Checkout {
  changes: ChangedRun[] = [];
  /** How many events each run has. */
  readonly events = new Map<RunId, number>();
  readonly written: string[] = [];
  readonly looked: string[] = [];
  progress: ProjectionProgress | undefined;
  saves = 0;
  diesAt = Number.POSITIVE_INFINITY;

  readonly #projector: Projector = {
    jobs: ["draft"],
    kinds: ["turn"],
    apply: async (events) => {
      if (this.written.length >= this.diesAt) throw new Error("killed");
      this.written.push(...events.map(({ run, seq }) => `${run} ${seq}`));
    },
  };

  readonly files = new FileProjection({
    store: {
      events: async (run, after, limit) => {
        this.looked.push(run);
        const count = Math.min((this.events.get(run) ?? 0) - after, limit);
        return Array.from({ length: count }, (_, at): StoredEvent => {
          return { run, seq: after + at + 1, kind: "turn", data: null };
        });
      },
    },
    projectors: [this.#projector],
    changedAfter: async (last, { kinds, limit }) =>
      this.changes
        .filter(({ kind }) => kinds.includes(kind))
        .filter(({ changedAt, run }) => `${changedAt} ${run}` > `${last.changedAt} ${last.run}`)
        .sort((one, other) => (one.changedAt < other.changedAt ? -1 : 1))
        .slice(0, limit),
    load: () => this.progress,
    save: async (progress) => {
      this.saves += 1;
      this.progress = progress;
    },
    exclusively: (_, work) => work(),
  });

  change(name: string, about: { at: Instant; events: number; atRest?: boolean; kind?: string }) {
    const { at: changedAt, events, atRest = true, kind = "draft" } = about;
    const run = runId(name);
    this.events.set(run, events);
    this.changes = this.changes.filter((one) => one.run !== run);
    this.changes.push({ run, kind, changedAt, atRest });
  }
}

function at(millis: number): Instant {
  return instantFromMillis(Date.UTC(2026, 10, 15) + millis);
}

describe("the files of runs that workers have executed", () => {
  let checkout: Checkout;
  beforeEach(() => {
    checkout = new Checkout();
  });

  it("are written once, and what is at rest is not looked at again", async () => {
    checkout.change("one", { at: at(1), events: 2 });
    checkout.change("other", { at: at(2), events: 1 });
    expect(await checkout.files.pending()).toBe(2);
    expect(await checkout.files.catchUp()).toBe(2);
    expect(checkout.written).toEqual(["one 1", "one 2", "other 1"]);
    checkout.looked.length = 0;
    expect([await checkout.files.pending(), await checkout.files.catchUp()]).toEqual([0, 0]);
    expect([checkout.looked, checkout.saves]).toEqual([[], 1]);
  });

  it("follow a run that is being executed, although its state does not change", async () => {
    checkout.change("one", { at: at(1), events: 1, atRest: false });
    await checkout.files.catchUp();
    checkout.events.set(runId("one"), 3);
    expect(await checkout.files.pending()).toBe(1);
    await checkout.files.catchUp();
    checkout.change("one", { at: at(5), events: 4 });
    await checkout.files.catchUp();
    expect(checkout.written).toEqual(["one 1", "one 2", "one 3", "one 4"]);
  });

  it("also those of a change that was committed after a later one", async () => {
    checkout.change("one", { at: at(hour), events: 1 });
    await checkout.files.catchUp();
    checkout.change("late", { at: at(hour - 60_000), events: 1 });
    await checkout.files.catchUp();
    expect(checkout.written).toEqual(["one 1", "late 1"]);
  });

  it("go on where the process that wrote them was killed", async () => {
    for (let number = 0; number < 1_200; number += 1) {
      const name = `run ${String(number).padStart(4, "0")}`;
      checkout.change(name, { at: at(number * 60_000), events: 1 });
    }
    checkout.diesAt = 1_100;
    await expect(checkout.files.catchUp()).rejects.toThrow("killed");
    checkout.diesAt = Number.POSITIVE_INFINITY;
    checkout.looked.length = 0;
    expect(await checkout.files.catchUp()).toBe(200);
    expect(new Set(checkout.looked).size).toBe(200);
    expect(new Set(checkout.written).size).toBe(1_200);
    expect(Object.keys(checkout.progress?.written ?? {})).toHaveLength(11);
  });

  it("are written again where an older version kept the progress, and never asked for other kinds", async () => {
    checkout.progress = { until: at(hour), runs: { one: 1 } } as unknown as ProjectionProgress;
    checkout.change("one", { at: at(1), events: 1 });
    checkout.change("review", { at: at(2), events: 9, kind: "gate-review" });
    expect(await checkout.files.catchUp()).toBe(1);
    expect(checkout.written).toEqual(["one 1"]);
  });
});
