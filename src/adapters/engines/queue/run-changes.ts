import type { Client } from "pg";
import type { RunId } from "../../../domain/values/ids.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Observer } from "../../../ports/observer.ts";
import type { RunRecord, RunStore } from "../../../ports/run-store.ts";
import { liveChannel, readLiveMessage } from "./live-messages.ts";

export interface RunChangesParts {
  readonly project: string;
  readonly connect: () => Promise<Client>;
  readonly store: Pick<RunStore, "events">;
  readonly clock: Clock;
  /** Shows what happens elsewhere; absent: only changes of state are heard. */
  readonly observer?: Observer;
  /** Some run of the project has changed. */
  readonly heard?: () => void;
  /** A run that this process may be executing is to be cancelled. */
  readonly cancelRequested?: (run: RunId) => void;
}

/** How long a lost message can hold anything up. */
const lookMillis = 1_000;
const page = 200;

/** Hears from PostgreSQL when a run of a project changes. Every message may be lost: the record is looked at anyway. */
export class RunChanges {
  readonly #parts: RunChangesParts;
  readonly #waiting = new Map<RunId, Set<() => void>>();
  readonly #tops = new Set<RunId>();
  /** The last event shown of each followed run. */
  readonly #shown = new Map<RunId, Promise<number>>();
  #client: Promise<Client | undefined> | undefined;
  #isClosed = false;
  #showsAll = false;

  constructor(parts: RunChangesParts) {
    this.#parts = parts;
  }

  /** Resolves soon after the run has changed, and from time to time without a change. */
  async changed({ run, top }: Pick<RunRecord, "run" | "top">, signal: AbortSignal): Promise<void> {
    this.#tops.add(top);
    await this.listen();
    await this.#show(run);
    const woken = Promise.withResolvers<void>();
    const waiting = this.#waiting.get(run) ?? new Set();
    this.#waiting.set(run, waiting.add(woken.resolve));
    const timer = setTimeout(woken.resolve, lookMillis);
    signal.addEventListener("abort", () => woken.resolve(), { once: true });
    try {
      await woken.promise;
    } finally {
      clearTimeout(timer);
      waiting.delete(woken.resolve);
      if (waiting.size === 0) this.#waiting.delete(run);
    }
  }

  /** Shows the last events of a run that has ended. */
  async ended({ run }: Pick<RunRecord, "run">): Promise<void> {
    await this.#show(run);
  }

  /** Shows what happens to every run of the project, as long as the connection lasts, and again when it is back. */
  async listenToAll(): Promise<void> {
    this.#showsAll = true;
    await this.listen();
  }

  async listen(): Promise<void> {
    if (this.#isClosed) return;
    this.#client ??= this.#open();
    if ((await this.#client) === undefined) this.#client = undefined;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await (await this.#client)?.end();
  }

  async #open(): Promise<Client | undefined> {
    const { project, connect, observer } = this.#parts;
    try {
      const client = await connect();
      const forget = (): void => {
        this.#client = undefined;
        if (this.#showsAll) setTimeout(() => void this.listen(), lookMillis).unref();
      };
      client.on("error", forget);
      client.on("end", forget);
      client.on("notification", ({ channel, payload = "" }) => {
        if (channel === liveChannel(project)) this.#heardLive(payload);
        else this.#heardChange(payload);
      });
      await client.query(`LISTEN ${client.escapeIdentifier(runsChannel(project))}`);
      if (observer !== undefined) {
        await client.query(`LISTEN ${client.escapeIdentifier(liveChannel(project))}`);
      }
      return client;
    } catch {
      // While the database is away, the look from time to time says so.
      return undefined;
    }
  }

  #heardChange(payload: string): void {
    const [run = "", , state] = payload.split(" ");
    if (state === "cancel") this.#parts.cancelRequested?.(run as RunId);
    for (const wake of this.#waiting.get(run as RunId) ?? []) wake();
    this.#parts.heard?.();
  }

  #heardLive(payload: string): void {
    const message = readLiveMessage(payload);
    if (message === undefined || !(this.#showsAll || this.#tops.has(message.top))) return;
    const { happening } = message;
    if (happening.kind === "event") void this.#show(happening.run).catch(() => undefined);
    else this.#parts.observer?.notice(happening);
  }

  /** Events are read from the record, each once and in order, whichever messages arrive. */
  #show(run: RunId): Promise<number> {
    const { observer, store } = this.#parts;
    if (observer === undefined) return Promise.resolve(0);
    const before = this.#shown.get(run) ?? Promise.resolve(0);
    const shown = before.then(async (after) => {
      let seq = after;
      for (;;) {
        const events = await store.events(run, seq, page);
        for (const event of events) observer.notice({ kind: "event", event });
        const last = events.at(-1);
        if (last === undefined) return seq;
        seq = last.seq;
      }
    });
    // A failed look is repeated by the next one.
    this.#shown.set(
      run,
      shown.catch(() => before),
    );
    return shown;
  }
}

function runsChannel(project: string): string {
  return `${project}:runs`;
}
