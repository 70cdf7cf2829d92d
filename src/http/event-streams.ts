import type { RunId } from "../domain/values/ids.ts";
import type { Json } from "../domain/values/json.ts";
import { countWaiting } from "../orchestration/runs/inbox.ts";
import { stateOf } from "../orchestration/runs/list-runs.ts";
import type { Happening } from "../ports/observer.ts";
import { currentStages } from "./current-stages.ts";
import type { RequestFacts } from "./handler.ts";
import { openEventStream } from "./open-event-stream.ts";
import type { StudioParts } from "./studio-parts.ts";

const watchMillis = 1_000;
const watchedRuns = 30;

/**
 * Stored events from the first, or from the one after `Last-Event-ID`, then live ones until the run stops. Text that
 * models are producing is not stored and has no id: each connection begins with what calls in progress have said so far,
 * and `call` says that a new one begins.
 */
export function streamRun(parts: StudioParts, run: RunId, request: RequestFacts): Response {
  const { engine, hub, source } = parts;
  const last = Number(request.headers.get("last-event-id") ?? "0");
  const afterSeq = Number.isSafeInteger(last) && last > 0 ? last : 0;
  return openEventStream(request.signal, async (stream) => {
    const stop = hub.listen((happening) => {
      if (happening.kind === "text" && happening.run === run) {
        const { key, role, part } = happening;
        stream.send("text", { key, role, part });
      }
      if (happening.kind === "call-started" && happening.run === run) {
        stream.send("call", { key: happening.key, role: happening.role });
      }
    });
    for (const { key, role, text } of hub.openTexts(run)) {
      stream.send("call", { key, role });
      stream.send("text", { key, role, part: text });
    }
    try {
      for await (const { seq, kind, data } of engine.events(run, afterSeq, stream.signal)) {
        stream.send("event", { seq, kind, data }, String(seq));
      }
    } finally {
      stop();
    }
    const record = await source.store.runs.load(run);
    stream.send("end", { state: record?.state ?? "cancelled" });
  });
}

/**
 * Which runs changed and how many items need a person, live. There is no history, so each connection begins with
 * `reset`. Changes by other processes on the same store are seen within a second.
 */
export function streamAll(parts: StudioParts, request: RequestFacts): Response {
  return openEventStream(request.signal, async (stream) => {
    stream.send("reset", {});
    const stops = [
      parts.hub.listen((happening) => {
        const change = changeOf(happening);
        if (change !== undefined) stream.send("run", change);
      }),
      watchOf(parts).listen(([event, data]) => stream.send(event, data)),
    ];
    await new Promise<void>((resolve) => {
      if (stream.signal.aborted) resolve();
      stream.signal.addEventListener("abort", () => resolve(), { once: true });
    });
    for (const stop of stops) stop();
  });
}

type Change = { readonly run_id: string; readonly what: string };
/** The name of an event and its data; `attention` is who has what open, `waiting` how many items need a person. */
type Seen = readonly ["run", Change] | readonly ["attention" | "waiting", Json];
type Listener = (seen: Seen) => void;

const watches = new WeakMap<StudioParts, RunWatch>();

function watchOf(parts: StudioParts): RunWatch {
  const watch = watches.get(parts) ?? new RunWatch(parts);
  watches.set(parts, watch);
  return watch;
}

/** Looks for changes once a second for all streams together, and only while there is one. */
class RunWatch {
  readonly #parts: StudioParts;
  readonly #listeners = new Set<Listener>();
  #over = new AbortController();
  #waiting: number | undefined;

  constructor(parts: StudioParts) {
    this.#parts = parts;
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    if (this.#waiting !== undefined) listener(["waiting", { count: this.#waiting }]);
    if (this.#listeners.size === 1) {
      this.#over = new AbortController();
      void this.#watch(this.#over.signal);
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#over.abort();
      this.#waiting = undefined;
    };
  }

  async #watch(signal: AbortSignal): Promise<void> {
    let before: Prints | undefined;
    while (!signal.aborted) {
      const now = await fingerprints(this.#parts).catch(() => before);
      for (const seen of changesBetween(before, now)) {
        for (const listener of this.#listeners) listener(seen);
      }
      before = now;
      this.#waiting = now?.waiting;
      await this.#parts.clock.sleep(watchMillis, signal).catch(() => undefined);
    }
  }
}

function changeOf(happening: Happening): Change | undefined {
  switch (happening.kind) {
    case "run-started":
      return { run_id: happening.run, what: "running" };
    case "run-ended":
      return { run_id: happening.run, what: happening.ending };
    case "event":
      return { run_id: happening.event.run, what: happening.event.kind };
    case "call-started":
    case "call-replied":
    case "call-failed":
    case "text":
      return undefined;
  }
}

type Prints = Awaited<ReturnType<typeof fingerprints>>;

async function fingerprints(parts: StudioParts) {
  const { store, isDead } = parts.source;
  const { runs, atWork } = await store.read(async (repos) => ({
    runs: await repos.runs.list({ limit: watchedRuns }),
    atWork: await repos.people.atWork(parts.clock.now()),
  }));
  const states = new Map(
    runs.map((one) => {
      const state = stateOf(one, isDead);
      return [one.run, { state, print: `${state} ${one.updatedAt}` }];
    }),
  );
  const waiting = await countWaiting(parts.source, await currentStages(parts));
  return { runs: states, attention: JSON.stringify(atWork), waiting };
}

function* changesBetween(before: Prints | undefined, now: Prints | undefined): Iterable<Seen> {
  if (now === undefined) return;
  if (before?.waiting !== now.waiting) yield ["waiting", { count: now.waiting }];
  if (before === undefined) return;
  for (const [run, { print, state }] of now.runs) {
    if (before.runs.get(run)?.print !== print) yield ["run", { run_id: run, what: state }];
  }
  if (before.attention !== now.attention) yield ["attention", {}];
}
