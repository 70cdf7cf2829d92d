import fc from "fast-check";
import { expect, vi } from "vitest";
import type { EmbeddedEngine } from "../../src/adapters/engines/embedded/embedded-engine.ts";
import { idInRun } from "../../src/adapters/engines/run-identity.ts";
import { key, type RunId, runId } from "../../src/domain/values/ids.ts";
import { instant } from "../../src/domain/values/instant.ts";
import { WorkflowError } from "../../src/domain/values/workflow-error.ts";
import type { RunRecord, RunStore } from "../../src/ports/run-store.ts";
import { book, LetterOffice, letter, type Mishap, memo, type OpenStore } from "./letter-office.ts";
import { Turnstile } from "./turnstile.ts";

const at = instant("2026-11-15T12:00:00.000Z");
const letterRun = runId("00000000-0000-4000-8000-000000000001");
const bookRun = runId("00000000-0000-4000-8000-000000000002");
const parts = [1, 2, 3].map((part) => runId(idInRun(bookRun, `child:book/${part}`)));
const named = [letterRun, bookRun, ...parts];
const desks = [1, 2, 3];
const mishaps = ["reply-unusable", "unreachable"];
/** Runs when no process moves any more, and brings what is left to its end. */
const heir = 9;

/** How many steps of others an act may let by before it begins. */
const latest = 120;

type Act = { readonly after: number } & Doing;

type Doing =
  | { readonly kind: "submit"; readonly desk: number; readonly job: "letter" | "book" | "memo" }
  | { readonly kind: "resume" | "cancel"; readonly desk: number; readonly run: number }
  | { readonly kind: "answer"; readonly desk: number; readonly decision: number }
  | { readonly kind: "interrupt"; readonly desk: number; readonly how: "finish" | "now" }
  | { readonly kind: "kill" | "doze" | "beat"; readonly desk: number }
  | { readonly kind: "mishap"; readonly desk: number; readonly what: Mishap };

const desk = fc.constantFrom(...desks);
const run = fc.nat({ max: named.length - 1 });
const job = fc.constantFrom("letter" as const, "book" as const, "memo" as const);
const how = fc.constantFrom("finish" as const, "now" as const);
const what = fc.constantFrom("failed" as const, "garbled" as const);
const doing: fc.Arbitrary<Doing> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("submit" as const), desk, job }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("resume" as const), desk, run }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("answer" as const),
      desk,
      decision: fc.nat({ max: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("cancel" as const), desk, run }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("interrupt" as const), desk, how }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom("kill" as const, "doze" as const), desk }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("beat" as const), desk }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("mishap" as const), desk, what }) },
);

const anAct: fc.Arbitrary<Act> = fc
  .tuple(fc.nat({ max: latest }), doing)
  .map(([after, what]) => ({ after, ...what }));

/** One story: desks act on one store in the order that the seed gives. */
class Story {
  readonly office: LetterOffice;
  readonly #turnstile: Turnstile;
  readonly #engines = new Map<number, EmbeddedEngine>();
  readonly #runOf = new Map<string, RunId>();
  readonly #answers = new Map<string, number>();
  readonly #cancelled = new Set<RunId>();
  readonly #over = new AbortController();
  readonly #store: RunStore;

  constructor(seed: number, open: OpenStore) {
    this.#turnstile = new Turnstile(seed);
    this.office = new LetterOffice(this.#turnstile, open);
    this.#store = this.office.open().runs;
    for (const one of desks) this.#engines.set(one, this.office.openDesk(one));
  }

  get #faults(): string[] {
    return this.office.faults;
  }

  async play(acts: readonly Act[]): Promise<readonly string[]> {
    for (const act of acts) void this.#perform(act);
    await this.#turnstile.turn();
    // Whoever lives hears of what was cancelled.
    vi.advanceTimersByTime(5_000);
    await this.#turnstile.turn();
    await this.#lookAround();
    await this.#finish();
    await this.#inspect();
    await this.office.close();
    return [...new Set(this.#faults)];
  }

  async #perform(act: Act): Promise<void> {
    const { desk: who } = act;
    for (let step = 0; step <= act.after; step += 1) await this.#turnstile.pass(who);
    const engine = this.#engines.get(who) as EmbeddedEngine;
    const said = await this.#act(act, engine).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (said !== undefined) this.#judge(act, said);
  }

  async #act(act: Doing, engine: EmbeddedEngine): Promise<void> {
    switch (act.kind) {
      case "submit":
        return this.#submit(act.job, engine);
      case "resume":
        await engine.resume(named[act.run] as RunId, {});
        await engine.ending(named[act.run] as RunId, this.#over.signal);
        return;
      case "answer":
        return this.#answer(engine, act.decision);
      case "cancel":
        return this.#cancel(engine, named[act.run] as RunId);
      case "interrupt":
        engine.interrupt(act.how);
        return;
      case "kill":
        this.#turnstile.stop(act.desk);
        this.office.gone.add(act.desk);
        return;
      case "doze":
        this.office.gone.add(act.desk);
        return;
      case "beat":
        vi.advanceTimersByTime(5_000);
        return;
      case "mishap":
        this.office.mishaps.push(act.what);
    }
  }

  async #submit(what: "letter" | "book" | "memo", engine: EmbeddedEngine): Promise<void> {
    const own = this.office.newRun();
    const submitted = await {
      letter: () => engine.submit(letter, { run: letterRun }),
      book: () => engine.submit(book, { run: bookRun }),
      memo: () =>
        engine.submit({ ...memo, id: `memo/${own}` }, { run: own, unlessUnfinished: true }),
    }[what]();
    if (what !== "memo" && submitted !== (this.#runOf.get(what) ?? submitted)) {
      this.#faults.push(`${what} got a second run`);
    }
    this.#runOf.set(what === "memo" ? `memo/${submitted}` : what, submitted);
    await engine.ending(submitted, this.#over.signal);
  }

  async #answer(engine: EmbeddedEngine, which: number): Promise<void> {
    const known = [...this.office.decisions];
    const id = known[which % Math.max(known.length, 1)];
    if (id !== undefined) await this.#answerOne(engine, id);
  }

  async #answerOne(engine: EmbeddedEngine, id: string): Promise<void> {
    const outcome = await engine.answer(id, { choice: "yes", by: "Ada", at }, 1);
    if (outcome === "recorded") this.#answers.set(id, (this.#answers.get(id) ?? 0) + 1);
  }

  async #cancel(engine: EmbeddedEngine, which: RunId): Promise<void> {
    await engine.cancel(which, "changed my mind");
    this.#cancelled.add(which);
  }

  /** A few errors fit the act they answer; all others are faults. */
  #judge({ kind, desk: who }: Pick<Doing, "kind" | "desk">, error: unknown): void {
    if (this.#over.signal.aborted) return;
    const { code, facts } =
      error instanceof WorkflowError ? error : { code: "", facts: {} as WorkflowError["facts"] };
    const fitting: { readonly [kind: string]: readonly string[] } = {
      submit: ["run-held"],
      resume: ["run-held", "run-over", "run-unknown"],
      cancel: ["run-unknown"],
    };
    const fits =
      (fitting[kind]?.includes(code) === true && facts.pid !== who) ||
      (code === "lease-lost" && this.office.gone.has(who));
    if (!fits) this.#faults.push(`${kind} at engine ${who} ended with: ${describe(error)}`);
  }

  /** Nobody moves: nothing may be held by the living, nor wait for what has happened. */
  async #lookAround(): Promise<void> {
    for (const record of await this.#all()) {
      const { run: which, state, holder, ending } = record;
      if (holder !== undefined && !this.office.gone.has(holder.pid)) {
        this.#faults.push(`${which} is left ${state} by desk ${holder.pid}`);
      }
      if (ending?.kind === "failed" && !mishaps.includes(ending.error.code)) {
        this.#faults.push(`${which} failed: ${ending.error.code} ${ending.error.message}`);
      }
      // Who is killed after an act has begun does not wake the run for it.
      if (this.office.gone.size === 0) await this.#lookForForgotten(record);
    }
  }

  async #lookForForgotten(record: RunRecord): Promise<void> {
    const { run: which, state } = record;
    if (state === "queued") this.#faults.push(`${which} is left queued`);
    if (await this.#waitsInVain(record)) this.#faults.push(`${which} waits for nothing`);
    if (this.#cancelled.has(which) && !isOver(record)) {
      this.#faults.push(`${which} was cancelled and is ${state}`);
    }
  }

  /** Who cancels a part of a whole that waits is not at work on the whole, and leaves it to be resumed. */
  async #waitsInVain({ run: which, state, ending }: RunRecord): Promise<boolean> {
    if (state !== "waiting" || ending?.kind !== "waiting") return false;
    const children = await this.#store.listChildren(which);
    const open = await this.#openOf(ending.decisions);
    return (
      open.length === 0 && !children.some((child) => ["waiting", "cancelled"].includes(child.state))
    );
  }

  async #openOf(decisions: Iterable<string>): Promise<readonly string[]> {
    const all = await Promise.all([...decisions].map((id) => this.#store.findDecision(id)));
    return all.flatMap((one) => (one !== undefined && one.answer === undefined ? [one.id] : []));
  }

  /** All have gone home. Whoever comes next brings every run to its end, with a question or two on the way. */
  async #finish(): Promise<void> {
    this.office.mishaps.length = 0;
    for (const one of desks) this.office.gone.add(one);
    const engine = this.office.openDesk(heir);
    for (let round = 0; round < 6; round += 1) {
      for (const { run: which } of await this.#all()) {
        if (await this.#canGoOn(which)) await this.#atLast("resume", engine.resume(which, {}));
      }
      for (const id of await this.#openOf(this.office.decisions)) {
        await this.#atLast("answer", this.#answerOne(engine, id));
      }
    }
    this.#over.abort();
  }

  async #canGoOn(which: RunId): Promise<boolean> {
    const record = await this.#load(which);
    const parent = record.parent && (await this.#load(record.parent));
    return (
      !isOver(record) && record.holder?.pid !== heir && (parent === undefined || isOver(parent))
    );
  }

  async #atLast(kind: Doing["kind"], doing: Promise<void>): Promise<void> {
    const reported = doing.catch((error: unknown) => this.#judge({ kind, desk: heir }, error));
    await this.#turnstile.turn();
    await reported;
  }

  async #inspect(): Promise<void> {
    for (const record of await this.#all()) await this.#inspectRun(record);
    for (const [name, text] of this.office.recorded) {
      const [which, what] = name.split(" ") as [RunId, string];
      const kept = await this.#store.find(which, key(what));
      const { text: found } = (kept?.value ?? {}) as { readonly text?: string };
      if (text !== "?" && found !== text) this.#faults.push(`${name} lost its reply`);
    }
    for (const [id, times] of this.#answers) {
      if (times > 1) this.#faults.push(`${id} was answered ${times} times`);
    }
  }

  async #inspectRun(record: RunRecord): Promise<void> {
    const { run: which, state, projectedSeq } = record;
    if (!isOver(record)) this.#faults.push(`${which} cannot be brought to its end: ${state}`);
    if (record.holder !== undefined) this.#faults.push(`${which} is ${state} and held`);
    const numbers = (await this.#store.events(which, 0, 1_000)).map(({ seq }) => seq);
    if (numbers.some((seq, index) => seq !== index + 1)) {
      this.#faults.push(`${which} has the events ${numbers.join(", ")}`);
    }
    if (state !== "finished") return;
    const filed = this.office.filed.get(which) ?? new Set();
    if (numbers.some((seq) => !filed.has(seq))) this.#faults.push(`${which} lacks files`);
    if (projectedSeq !== numbers.length) {
      this.#faults.push(`${which} is marked up to ${projectedSeq} of ${numbers.length}`);
    }
  }

  async #load(which: RunId): Promise<RunRecord> {
    return (await this.#store.load(which)) as RunRecord;
  }

  async #all(): Promise<readonly RunRecord[]> {
    const memos = [...this.#runOf.values()];
    const records = await Promise.all(
      [...new Set([...named, ...memos])].map((one) => this.#store.load(one)),
    );
    return records.flatMap((record) => record ?? []);
  }
}

function isOver({ state }: RunRecord): boolean {
  return state === "finished" || state === "cancelled";
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/**
 * Whatever several processes do in whatever order, nothing is paid twice, lost, stuck or refused without reason. Each
 * story gets a store of its own. Heartbeats come when an act says so, and never by themselves.
 */
export async function expectAnyOrderToBeSafe(
  numRuns: number,
  newStore: () => Promise<OpenStore>,
): Promise<void> {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anAct, { minLength: 2, maxLength: 14 }),
        fc.integer({ min: 0, max: 2 ** 31 }),
        async (acts, seed) => {
          expect(await new Story(seed, await newStore()).play(acts)).toEqual([]);
        },
      ),
      { numRuns },
    );
  } finally {
    vi.useRealTimers();
  }
}
