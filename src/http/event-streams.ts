import type { RunId } from "../domain/values/ids.ts";
import { listRuns } from "../orchestration/runs/list-runs.ts";
import type { Happening } from "../ports/observer.ts";
import type { RequestFacts } from "./handler.ts";
import { openEventStream } from "./open-event-stream.ts";
import type { StudioParts } from "./studio-parts.ts";

const watchMillis = 1_000;
const watchedRuns = 30;

/**
 * Stored events from the first, or from the one after `Last-Event-ID`, then live ones until the run stops. Text that
 * models are producing is not stored and has no id: each connection begins with what calls in progress have said so far,
 * and `call` says that one begins anew.
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
  const { hub, clock } = parts;
  return openEventStream(request.signal, async (stream) => {
    stream.send("reset", {});
    const stop = hub.listen((happening) => {
      const change = changeOf(happening);
      if (change !== undefined) stream.send("run", change);
    });
    try {
      let before = await fingerprints(parts);
      while (!stream.signal.aborted) {
        await clock.sleep(watchMillis, stream.signal).catch(() => undefined);
        if (stream.signal.aborted) return;
        const now = await fingerprints(parts);
        for (const [run, { print, state }] of now) {
          if (before.get(run)?.print !== print) stream.send("run", { run_id: run, what: state });
        }
        before = now;
      }
    } finally {
      stop();
    }
  });
}

function changeOf(happening: Happening) {
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

async function fingerprints({ source }: StudioParts) {
  const runs = await listRuns(source, { limit: watchedRuns });
  return new Map(
    runs.map(({ runId, state, updatedAt }) => [runId, { state, print: `${state} ${updatedAt}` }]),
  );
}
