import { EmbeddedEngine } from "../../src/adapters/engines/embedded/embedded-engine.ts";
import { Scheduler } from "../../src/adapters/engines/scheduler.ts";
import { key, type RunId, runId } from "../../src/domain/values/ids.ts";
import { instant } from "../../src/domain/values/instant.ts";
import { AgentError, RunnerError } from "../../src/domain/values/workflow-error.ts";
import type { Ending, Flow, FlowContext, Job, LateJob } from "../../src/ports/flow.ts";
import type { StoredEvent } from "../../src/ports/journal.ts";
import type { Decision, Holder, RunStore } from "../../src/ports/run-store.ts";
import type { AskRequest, Attempted } from "../../src/ports/runner.ts";
import type { Turnstile } from "./turnstile.ts";

const at = instant("2026-11-15T12:00:00.000Z");

/** Opens the store that all desks share, once more. */
export type OpenStore = () => OfficeStore;

interface OfficeStore {
  readonly runs: RunStore;
  close(): void | Promise<void>;
}

/** One paid call, as the provider saw it. */
export interface PaidCall {
  readonly name: string;
  readonly desk: number;
  state: "in flight" | "replied" | "garbled" | "failed" | "given up";
}

/** What the provider does with the next calls; it answers when nothing is planned. */
export type Mishap = "failed" | "garbled";

/**
 * Several processes on one store. Every step with effects (store, provider, files, clock) waits for its turn. What the
 * provider and the files received is kept apart from the store, to be compared with it.
 */
export class LetterOffice {
  readonly calls: PaidCall[] = [];
  readonly mishaps: Mishap[] = [];
  readonly decisions = new Set<string>();
  readonly filed = new Map<RunId, Set<number>>();
  readonly faults: string[] = [];
  readonly recorded = new Map<string, string>();
  /** Killed, or suspended while its leases expired: others may take over what it holds. */
  readonly gone = new Set<number>();
  readonly #turnstile: Turnstile;
  readonly #open: OpenStore;
  readonly #stores: OfficeStore[] = [];
  #runs = 0;

  constructor(turnstile: Turnstile, open: OpenStore) {
    this.#turnstile = turnstile;
    this.#open = open;
  }

  openDesk(desk: number): EmbeddedEngine {
    const clock = {
      now: () => at,
      monotonic: () => 0,
      sleep: async (_millis: number, signal: AbortSignal) => {
        signal.throwIfAborted();
        await this.#turnstile.pass(desk, true);
        signal.throwIfAborted();
      },
    };
    const runner = {
      attempt: (request: AskRequest, signal: AbortSignal) => this.#attempt(desk, request, signal),
    };
    const policy = { attempts: 2, baseMs: 0, mostMs: 0 };
    return new EmbeddedEngine({
      store: this.#inTurns(desk),
      flows,
      runnerFor: async () => ({ runner, provider: "post", price: () => 0 }),
      scheduler: new Scheduler({ clock, chance: () => 0, policy, concurrencyOf: () => 2 }),
      projectors: [{ kinds: ["written"], apply: (events) => this.#file(desk, events) }],
      clock,
      owner: { host: "office", pid: desk, processStart: "1" },
      isDead: ({ pid }: Holder) => this.gone.has(pid),
      newRunId: () => this.newRun(),
      crash: { reach: () => undefined },
      observer: { notice: () => undefined },
      childConcurrency: 2,
    });
  }

  newRun(): RunId {
    this.#runs += 1;
    return runId(`00000000-0000-4000-9000-${String(this.#runs).padStart(12, "0")}`);
  }

  /** The store itself, without waiting for turns. */
  open(): OfficeStore {
    const store = this.#open();
    this.#stores.push(store);
    return store;
  }

  async close(): Promise<void> {
    for (const store of this.#stores) await store.close();
  }

  #inTurns(desk: number): RunStore {
    const { runs } = this.open();
    return new Proxy(runs, {
      get:
        (_, method: keyof RunStore) =>
        async (...given: never[]) => {
          await this.#turnstile.pass(desk);
          try {
            const call = runs[method] as (...all: never[]) => Promise<unknown>;
            const result = await this.#turnstile.during(call(...given));
            this.#remember(method, given, result);
            return result;
          } finally {
            await this.#turnstile.pass(desk);
          }
        },
    });
  }

  #remember(method: keyof RunStore, given: readonly unknown[], result: unknown): void {
    if (method === "openDecision") this.decisions.add((result as Decision).id);
    if (method !== "record") return;
    const [{ run }, { key: name, value }] = given as Parameters<RunStore["record"]>;
    this.recorded.set(`${run} ${name}`, (value as { readonly text: string }).text);
  }

  async #attempt(desk: number, { user }: AskRequest, signal: AbortSignal): Promise<Attempted> {
    signal.throwIfAborted();
    this.#expectUnpaid(user);
    const call: PaidCall = { name: user, desk, state: "in flight" };
    this.calls.push(call);
    const giveUp = (): void => {
      if (call.state === "in flight") call.state = "given up";
    };
    signal.addEventListener("abort", giveUp, { once: true });
    await this.#turnstile.pass(desk);
    signal.throwIfAborted();
    call.state = this.mishaps.shift() ?? "replied";
    if (call.state === "failed")
      throw new RunnerError("The line is dead.", { code: "unreachable" });
    const text = call.state === "garbled" ? "?" : `reply ${this.calls.length}`;
    return {
      kind: "replied",
      reply: { text, model: "post/clerk", finish: "complete", startedAt: at, finishedAt: at },
    };
  }

  /** A paid call is never repeated, unless its reply was lost or could not be used. */
  #expectUnpaid(name: string): void {
    const isReadable = (this.recorded.get(name) ?? "?") !== "?";
    const before = this.calls.filter((call) => call.name === name);
    const isPaid = ({ state, desk }: PaidCall): boolean =>
      (state === "in flight" && !this.gone.has(desk)) ||
      (state === "replied" && (isReadable || !this.gone.has(desk)));
    if (before.some(isPaid)) this.faults.push(`${name} was paid for twice`);
  }

  async #file(desk: number, events: readonly StoredEvent[]): Promise<void> {
    for (const { run, seq } of events) {
      await this.#turnstile.pass(desk);
      const filed = this.filed.get(run) ?? new Set();
      this.filed.set(run, filed.add(seq));
    }
  }
}

export const letter: Job = {
  id: "letter",
  kind: "letter",
  input: "To the supplier",
  settings: {},
  createdAt: at,
};
export const book: Job = { ...letter, id: "book", kind: "book", input: "Three letters" };
export const memo: Job = { ...letter, kind: "memo", input: "To all" };

const flows: ReadonlyMap<string, Flow> = new Map<string, Flow>([
  ["letter", writeLetter],
  ["memo", writeMemo],
  ["book", bindBook],
]);

async function writeMemo(ctx: FlowContext): Promise<string> {
  const text = await write(ctx, "text");
  return `${text}, ${await write(ctx, "greeting")}`;
}

async function writeLetter(ctx: FlowContext): Promise<string> {
  const text = await write(ctx, "text");
  const both = await ctx.askAll(
    ["left", "right"].map((side) => ({
      key: key(side),
      request: requestFor(ctx, side),
      mayFail: side === "right",
    })),
  );
  ctx.emit({ kind: "written", data: "margins" });
  const { choice } = await ctx.waitForDecision(key("sign"), {
    kind: "signature",
    text: "Sign it?",
    choices: ["yes"],
    context: null,
  });
  return `${text}, ${both.length}, ${choice}, ${await write(ctx, "greeting")}`;
}

async function bindBook(ctx: FlowContext): Promise<number> {
  await write(ctx, "title");
  const [first] = await ctx.children([{ ...letter, id: "book/1", input: "Part 1" }]);
  const endings: (Ending | undefined)[] = [first];
  for await (const { ending } of ctx.childrenOf([2, 3].map(laterPart), 2)) endings.push(ending);
  await write(ctx, "cover");
  return endings.filter((ending) => ending?.kind === "finished").length;
}

function laterPart(part: number): LateJob {
  const { input: _, ...rest } = letter;
  return { ...rest, id: `book/${part}`, load: async () => `Part ${part}` };
}

async function write(ctx: FlowContext, what: string): Promise<string> {
  const { text } = await ctx.ask(key(what), requestFor(ctx, what));
  if (text === "?") {
    throw new AgentError("The reply cannot be read.", {
      code: "reply-unusable",
      facts: { unusable: [what] },
    });
  }
  ctx.emit({ kind: "written", data: { what, text } });
  return text;
}

function requestFor({ run }: FlowContext, what: string): AskRequest {
  return {
    role: "clerk",
    model: "post/clerk",
    system: "",
    user: `${run} ${what}`,
    expects: "text",
    settings: {},
    formatVersion: "1",
    task: null,
    ordinal: 0,
  };
}
