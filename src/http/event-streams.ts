import type { RunId } from "../domain/values/ids.ts";
import { stateOf } from "../orchestration/runs/list-runs.ts";
import type { Happening } from "../ports/observer.ts";
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
 * Which runs changed, live. There is no history, so each connection begins with `reset`. Changes by other processes on
 * the same store are seen within a second.
 */
export function streamAll(parts: StudioParts, request: RequestFacts): Response {
  return openEventStream(request.signal, async (stream) => {
    stream.send("reset", {});
    const stops = [
      parts.hub.listen((happening) => {
        const change = changeOf(happening);
        if (change !== undefined) stream.send("run", change);
      }),
      watchOf(parts).listen((change) =>
        change === "attention" ? stream.send("attention", {}) : stream.send("run", change),
      ),
    ];
    await new Promise<void>((resolve) => {
      if (stream.signal.aborted) resolve();
      stream.signal.addEventListener("abort", () => resolve(), { once: true });
    });
    for (const stop of stops) stop();
  });
}

type Change = { readonly run_id: string; readonly what: string };
/** A run, or who has what open. */
type Listener = (change: Change | "attention") => void;

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

  constructor(parts: StudioParts) {
    this.#parts = parts;
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) {
      this.#over = new AbortController();
      void this.#watch(this.#over.signal);
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#over.abort();
    };
  }

  async #watch(signal: AbortSignal): Promise<void> {
    let before: Prints | undefined;
    while (!signal.aborted) {
      const now = await fingerprints(this.#parts).catch(() => before);
      for (const change of changesBetween(before, now)) {
        for (const listener of this.#listeners) listener(change);
      }
      before = now;
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

async function fingerprints({ source: { store, isDead }, clock }: StudioParts) {
  const { runs, atWork } = await store.read(async (repos) => ({
    runs: await repos.runs.list({ limit: watchedRuns }),
    atWork: await repos.people.atWork(clock.now()),
  }));
  const states = new Map(
    runs.map((one) => {
      const state = stateOf(one, isDead);
      return [one.run, { state, print: `${state} ${one.updatedAt}` }];
    }),
  );
  return { runs: states, attention: JSON.stringify(atWork) };
}

function* changesBetween(
  before: Prints | undefined,
  now: Prints | undefined,
): Iterable<Change | "attention"> {
  if (before === undefined || now === undefined) return;
  for (const [run, { print, state }] of now.runs) {
    if (before.runs.get(run)?.print !== print) yield { run_id: run, what: state };
  }
  if (before.attention !== now.attention) yield "attention";
}
