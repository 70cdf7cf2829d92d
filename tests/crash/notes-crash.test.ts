import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Connection } from "../../src/adapters/persistence/sqlite/connection.ts";
import { type KillStates, keepKillStates } from "../support/kill-states.ts";
import { NotesRepository } from "../support/notes-repository.ts";

let shop: NotesRepository;
beforeEach(() => {
  shop = openShop();
});
afterEach(() => shop.remove());

function openShop(): NotesRepository {
  const opened = new NotesRepository();
  for (const name of names)
    opened.note(name, `Needless to say, everybody who works in the shop has to know the ${name}.`);
  opened.phraseGate("prose/stock-phrases");
  opened.phraseGate("prose/overclaiming", "guaranteed to");
  opened.commit();
  return opened;
}

const fixed = { SIGNOFF_FIXED_TIME: "2026-03-02T08:00:00.000Z" };

const names = ["returns", "prices", "salt"];

/** What the store holds after a process ended, without starting another one. */
function stored<T>(look: (store: Connection) => T): T {
  const store = new Connection({ path: join(shop.root, ".signoff/signoff.db"), queryOnly: true });
  try {
    return look(store);
  } finally {
    store.close();
  }
}

/** Reviews and acceptances of each note. */
function filed(): readonly (readonly [reviews: number, acceptances: number])[] {
  return stored((store) => {
    const count = (table: string, name: string) =>
      store.get<{ rows: number }>(
        `SELECT COUNT(*) AS rows FROM ${table} WHERE note_path = 'notes/${name}.md'`,
      )?.rows ?? 0;
    return names.map((name) => [count("gate_reviews", name), count("acceptance_events", name)]);
  });
}

function unfinished(): number | undefined {
  const left = "SELECT COUNT(*) AS runs FROM runs WHERE state NOT IN ('finished', 'cancelled')";
  return stored((store) => store.get<{ runs: number }>(left)?.runs);
}

function calls(log: string): number {
  const lines = readFileSync(join(shop.root, ".signoff", log), "utf8").split("\n");
  return lines.filter((line) => line === "attempt-started").length;
}

const points = [
  "run-created",
  "attempt-started",
  "reply-received",
  "reply-recorded",
  "events-stored",
  "gates-finalizing",
  "gates-rows-written",
  "gates-finalized",
  "events-projected",
  "run-ending",
  "run-ended",
]
  .flatMap((point) => [`${point}:1`, `${point}:3`])
  // The sweep's own ending, after those of its three calls.
  .concat("run-ending:4");

describe("a review that is killed", () => {
  let killed: KillStates;
  let place: NotesRepository;
  beforeAll(async () => {
    place = openShop();
    const args = ["notes", "review", "--max-workers", "1"];
    const env = { ...fixed, ...place.environment };
    killed = await keepKillStates(args, { cwd: place.root, env }, points);
  });
  afterAll(() => {
    killed.remove();
    place.remove();
  });

  it.each(points)(
    "at %s leaves whole runs only, and the same command finishes them",
    async (moment) => {
      shop.remove();
      shop = place;
      killed.restore(moment);
      const left = filed();
      for (const [reviews, acceptances] of left) {
        expect([0, 2]).toContain(reviews);
        expect(acceptances).toBe(reviews);
      }
      const before = left.flat().reduce((sum, count) => sum + count, 0) / 4;
      const log = join(shop.root, ".signoff", "second.log");
      const again = await shop.run(["notes", "review", "--max-workers", "1"], {
        ...fixed,
        SIGNOFF_CRASH_LOG: log,
      });
      expect(again.code).toBe(0);
      expect(filed()).toEqual([
        [2, 2],
        [2, 2],
        [2, 2],
      ]);
      expect(calls("second.log")).toBeLessThanOrEqual(3 - before);
      expect((await shop.notes("status")).code).toBe(0);
      expect(unfinished()).toBe(0);
    },
  );

  it("leaves the lock that an undisturbed review leaves", async () => {
    await shop.run(["notes", "review"], { ...fixed, SIGNOFF_STOP_AT: "gates-rows-written:2" });
    await shop.run(["notes", "review"], fixed);
    const after = shop.read("signoff.lock");
    rmSync(join(shop.root, ".signoff"), { recursive: true });
    rmSync(join(shop.root, "signoff.lock"));
    await shop.run(["notes", "review"], fixed);
    expect(shop.read("signoff.lock")).toBe(after);
  });
});

describe("a review with a budget", () => {
  /** What all calls together hold of a budget: their cost, or their reservation where they were lost. */
  const held = () =>
    stored((store) =>
      store.get<{ calls: number; tokens: number }>(
        "SELECT COUNT(*) AS calls, SUM(held_tokens) AS tokens FROM attempts",
      ),
    ) ?? { calls: 0, tokens: 0 };
  const review = ["notes", "review", "--max-workers", "1", "--budget"];

  it("that is killed again and again spends no more than the budget in all", async () => {
    await shop.run([...review, "100000tokens"], { ...fixed, SIGNOFF_STOP_AT: "attempt-started" });
    const { tokens: reserved } = held();
    rmSync(join(shop.root, ".signoff"), { recursive: true });
    const budget = Math.ceil(reserved * 2.5);
    const killed = { ...fixed, SIGNOFF_STOP_AT: "reply-received" };
    for (let time = 0; time < 2; time += 1)
      expect((await shop.run([...review, `${budget}tokens`], killed)).signal).toBe("SIGKILL");
    expect((await shop.run([...review, `${budget}tokens`], fixed)).code).toBe(4);
    expect(held().tokens).toBeLessThanOrEqual(budget);
    expect(held().calls).toBe(2);
  });

  it("that changes its plan after a kill inherits what was spent", async () => {
    await shop.run([...review, "100000tokens"], { ...fixed, SIGNOFF_STOP_AT: "attempt-started" });
    const { tokens: reserved } = held();
    shop.note("salt", "Salt is kept in jars.");
    const ran = await shop.run([...review, `${Math.ceil(reserved * 1.5)}tokens`], fixed);
    expect([ran.code, held().calls]).toEqual([4, 1]);
  });

  it("that came to the end of its budget is over, and the next one has its own", async () => {
    await shop.run([...review, "100000tokens"], { ...fixed, SIGNOFF_STOP_AT: "attempt-started" });
    const { tokens: reserved } = held();
    rmSync(join(shop.root, ".signoff"), { recursive: true });
    const budget = `${Math.ceil(reserved * 1.2)}tokens`;
    for (const code of [4, 4, 0])
      expect((await shop.run([...review, budget], fixed)).code).toBe(code);
  });
});

describe("a move that is killed after the file has moved", () => {
  it("is finished by the same command", async () => {
    shop.note("prices", "Prices follow [the returns](returns.md).");
    shop.commit();
    await shop.notes("review");
    const move = ["notes", "mv", "notes/returns.md", "notes/shop/returns.md", "--apply"];
    expect((await shop.run(move, { SIGNOFF_STOP_AT: "note-moved" })).signal).toBe("SIGKILL");
    expect((await shop.notes("status")).code).toBe(1);
    expect((await shop.run(move)).code).toBe(0);
    expect(shop.read("notes/prices.md")).toContain("(shop/returns.md)");
    expect((await shop.notes("status")).code).toBe(0);
    const old = await shop.notes("history", "notes/returns.md");
    expect([old.code, old.err]).toEqual([2, expect.stringContaining("it has no history")]);
  });
});
