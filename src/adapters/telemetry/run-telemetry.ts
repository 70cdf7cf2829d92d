import { decodeDraftEvent } from "../../contract/drafting/draft-event.ts";
import type { DraftEvent } from "../../domain/drafting/events.ts";
import { type DraftSession, durationSeconds } from "../../domain/drafting/session.ts";
import { defined } from "../../domain/values/defined.ts";
import type { RunId } from "../../domain/values/ids.ts";
import type { Json } from "../../domain/values/json.ts";
import type { StoredEvent } from "../../ports/journal.ts";
import type { Metrics } from "../../ports/metrics.ts";
import type { Happening, Observer } from "../../ports/observer.ts";
import type { LogLine } from "./json-log.ts";

export interface TelemetryParts {
  /** Absent: no log is written. */
  readonly log?: LogLine;
  /** Absent: nothing is counted. */
  readonly metrics?: Metrics;
  /** The session of a drafting run; undefined for other runs. */
  readonly sessionOf: (run: RunId) => Promise<DraftSession | undefined>;
}

const loggedEvents: readonly string[] = [
  "loop-started",
  "phase-entered",
  "candidate-written",
  "review-received",
];

/** A run with such an ending continues later, here or elsewhere. */
const openEndings: readonly string[] = ["waiting", "left"];

/** Turns events into log lines and metrics. Replayed calls are marked as such. */
export class RunTelemetry implements Observer {
  readonly #log: LogLine | undefined;
  readonly #metrics: Metrics | undefined;
  readonly #sessionOf: TelemetryParts["sessionOf"];
  readonly #active = new Set<RunId>();
  readonly #pending = new Set<Promise<void>>();
  #isReplay = false;

  constructor({ log, metrics, sessionOf }: TelemetryParts) {
    this.#log = log;
    this.#metrics = metrics;
    this.#sessionOf = sessionOf;
  }

  notice(happening: Happening): void {
    if (this.#log === undefined && this.#metrics === undefined) return;
    if (happening.kind === "event") this.#event(happening.event);
    else if (happening.kind === "call-started") this.#started(happening);
    else if (happening.kind === "call-replied") this.#replied(happening);
    else if (happening.kind === "call-failed") this.#failed(happening);
    else if (happening.kind === "run-started") this.#runStarted(happening.run);
    else if (happening.kind === "run-ended") this.#runEnded(happening);
  }

  /** Resolves when every ended run is counted. */
  async settled(): Promise<void> {
    await Promise.all(this.#pending);
  }

  #runStarted(run: RunId): void {
    if (this.#active.has(run)) return;
    this.#active.add(run);
    this.#metrics?.shift("signoff_runs_active", 1);
  }

  #runEnded({ run, ending }: Extract<Happening, { kind: "run-ended" }>): void {
    if (this.#active.delete(run)) this.#metrics?.shift("signoff_runs_active", -1);
    const counted = this.#sessionOf(run)
      .catch(() => undefined)
      .then((session) => this.#count(run, ending, session))
      .finally(() => this.#pending.delete(counted));
    this.#pending.add(counted);
  }

  #count(run: RunId, ending: string, session: DraftSession | undefined): void {
    const reason = session?.completionReason ?? ending;
    if (openEndings.includes(reason)) return;
    this.#metrics?.count("workflow_runs_total", 1, { completion_reason: reason });
    if (session === undefined) {
      this.#log?.("info", "run-ended", { run_id: run, ending });
      return;
    }
    const seconds = durationSeconds(session);
    this.#log?.("info", "workflow-completed", {
      run_id: run,
      completion_reason: reason,
      turn_count: session.turns.length,
      duration_seconds: seconds ?? null,
    });
    this.#metrics?.observe("workflow_turns", session.turns.length);
    if (seconds !== undefined) this.#metrics?.observe("workflow_duration_seconds", seconds);
  }

  #event(stored: StoredEvent): void {
    if (this.#log === undefined || !loggedEvents.includes(stored.kind)) return;
    const line = lineOf(decodeDraftEvent(stored));
    if (line === undefined) return;
    const replayed = this.#isReplay ? { replayed: true } : {};
    this.#log(line.level, line.event, { run_id: stored.run, ...line.fields, ...replayed });
  }

  #started(call: Extract<Happening, { kind: "call-started" }>): void {
    this.#log?.("debug", "call-started", { ...about(call), attempt: call.attempt });
    this.#metrics?.shift("signoff_calls_in_flight", 1);
  }

  #replied(reply: Extract<Happening, { kind: "call-replied" }>): void {
    this.#isReplay = reply.replayed;
    const { model, role, usage, seconds, replayed } = reply;
    this.#log?.("debug", "call-replied", {
      ...about(reply),
      seconds,
      replayed,
      usage: usage === undefined ? null : { ...usage },
    });
    const by = { role, model };
    const outcome = replayed ? "replayed" : "replied";
    this.#metrics?.count("signoff_calls_total", 1, { ...by, outcome });
    if (replayed) return;
    this.#metrics?.shift("signoff_calls_in_flight", -1);
    if (usage === undefined) return;
    this.#metrics?.count("signoff_tokens_total", usage.input, { ...by, direction: "input" });
    this.#metrics?.count("signoff_tokens_total", usage.output, { ...by, direction: "output" });
    if (usage.microUsd !== undefined) {
      this.#metrics?.count("signoff_cost_micro_usd_total", usage.microUsd, by);
    }
  }

  #failed(failed: Extract<Happening, { kind: "call-failed" }>): void {
    const { error, role, model, retryInMs } = failed;
    const { code, message, retryable } = error;
    const retry = defined({ retry_in_ms: retryInMs });
    this.#log?.("error", "call-failed", { ...about(failed), code, message, retryable, ...retry });
    const by = { role, model };
    this.#metrics?.shift("signoff_calls_in_flight", -1);
    this.#metrics?.count("signoff_calls_total", 1, { ...by, outcome: "failed" });
    this.#metrics?.count("signoff_call_failures_total", 1, { ...by, code });
    if (retryInMs !== undefined) this.#metrics?.count("signoff_call_retries_total", 1, by);
  }
}

interface Line {
  readonly level: "info" | "debug";
  readonly event: string;
  readonly fields: { readonly [name: string]: Json };
}

function lineOf(event: DraftEvent): Line | undefined {
  switch (event.kind) {
    case "loop-started": {
      const { brief, creatorModel, maxTurns } = event;
      const fields = { user_input: brief, model_name: creatorModel, max_turns: maxTurns };
      return { level: "info", event: "workflow-started", fields };
    }
    case "phase-entered":
      if (event.phase !== "generating") return undefined;
      return { level: "debug", event: "turn-started", fields: { turn: event.turn } };
    case "candidate-written": {
      const { turn, durationSeconds: seconds, candidate } = event;
      const fields = { turn, duration_seconds: seconds, text: candidate.content };
      return { level: "debug", event: "candidate-written", fields };
    }
    case "review-received": {
      const { turn, durationSeconds: seconds, review } = event;
      const fields = { turn, duration_seconds: seconds, approved: review.verdict === "ok" };
      return { level: "debug", event: "review-received", fields };
    }
    default:
      return undefined;
  }
}

function about(call: { run: string; key: string; role: string; model: string }) {
  return { run_id: call.run, key: call.key, role: call.role, model: call.model };
}
