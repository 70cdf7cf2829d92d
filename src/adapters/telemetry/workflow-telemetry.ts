import { decodeDraftEvent } from "../../contract/drafting/draft-event.ts";
import type { DraftEvent } from "../../domain/drafting/events.ts";
import { type DraftSession, durationSeconds } from "../../domain/drafting/session.ts";
import type { Json } from "../../domain/values/json.ts";
import type { StoredEvent } from "../../ports/journal.ts";
import type { Metrics } from "../../ports/metrics.ts";
import type { Happening, Observer } from "../../ports/observer.ts";
import type { LogLine } from "./json-log.ts";

export interface TelemetryParts {
  /** Absent: nobody reads one. */
  readonly log?: LogLine;
  readonly metrics: Metrics;
}

const told: readonly string[] = [
  "loop-started",
  "phase-entered",
  "candidate-written",
  "review-received",
];

/** Turns what happens into log lines and numbers. Replayed calls are not counted again, and their lines say so. */
export class WorkflowTelemetry implements Observer {
  readonly #log: LogLine | undefined;
  readonly #metrics: Metrics;
  #isReplay = false;

  constructor({ log, metrics }: TelemetryParts) {
    this.#log = log;
    this.#metrics = metrics;
  }

  notice(happening: Happening): void {
    if (happening.kind === "event") this.#event(happening.event);
    else if (happening.kind === "call-replied") this.#replied(happening);
    else if (happening.kind === "call-failed") this.#failed(happening);
    else if (happening.kind === "call-started") {
      const { attempt } = happening;
      this.#log?.("debug", "call-started", { ...about(happening), attempt });
    }
  }

  /** A run that ended, for now or for good; one that waits has not. */
  completed(session: DraftSession): void {
    const { runId, completionReason, turns } = session;
    if (completionReason === undefined) return;
    const seconds = durationSeconds(session);
    this.#log?.("info", "workflow-completed", {
      run_id: runId,
      completion_reason: completionReason,
      turn_count: turns.length,
      duration_seconds: seconds ?? null,
    });
    this.#metrics.count("workflow_runs_total", 1, { completion_reason: completionReason });
    this.#metrics.observe("workflow_turns", turns.length);
    if (seconds !== undefined) this.#metrics.observe("workflow_duration_seconds", seconds);
  }

  #event(stored: StoredEvent): void {
    if (this.#log === undefined || !told.includes(stored.kind)) return;
    const line = lineOf(decodeDraftEvent(stored));
    if (line === undefined) return;
    const replayed = this.#isReplay ? { replayed: true } : {};
    this.#log(line.level, line.event, { run_id: stored.run, ...line.fields, ...replayed });
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
    if (replayed) return;
    this.#metrics.count("signoff_calls_total", 1, { role, model });
    if (usage === undefined) return;
    this.#metrics.count("signoff_tokens_total", usage.input, { model, direction: "input" });
    this.#metrics.count("signoff_tokens_total", usage.output, { model, direction: "output" });
    if (usage.microUsd !== undefined) {
      this.#metrics.count("signoff_cost_micro_usd_total", usage.microUsd, { model });
    }
  }

  #failed(failed: Extract<Happening, { kind: "call-failed" }>): void {
    const { error, model, retryInMs } = failed;
    const { code, message, retryable } = error;
    const retry = retryInMs === undefined ? {} : { retry_in_ms: retryInMs };
    this.#log?.("error", "call-failed", { ...about(failed), code, message, retryable, ...retry });
    this.#metrics.count("signoff_call_failures_total", 1, { model, code });
    if (retryInMs !== undefined) this.#metrics.count("signoff_retries_total", 1, { model });
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
