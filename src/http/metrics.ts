import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { DraftSession } from "../domain/drafting/session.ts";
import { durationSeconds } from "../domain/drafting/session.ts";
import type { RunId } from "../domain/values/ids.ts";
import type { Happening } from "../ports/observer.ts";
import type { LiveHub } from "./live-hub.ts";

export interface Metrics {
  readonly contentType: string;
  text(): Promise<string>;
}

const secondsBuckets = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600];
const turnBuckets = [1, 2, 3, 4, 5, 6, 8, 10];

/** Counts what happens in this process from its start on. */
export function createMetrics(
  hub: LiveHub,
  sessionOf: (run: RunId) => Promise<DraftSession | undefined>,
): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const runs = new Counter({
    name: "workflow_runs_total",
    help: "Runs that ended, by how",
    labelNames: ["completion_reason"],
    registers,
  });
  const duration = new Histogram({
    name: "workflow_duration_seconds",
    help: "From the start of a run to its end",
    buckets: secondsBuckets,
    registers,
  });
  const turns = new Histogram({
    name: "workflow_turns",
    help: "Turns of a drafting run",
    buckets: turnBuckets,
    registers,
  });
  const count = callCounters(registers);
  new Gauge({
    name: "signoff_runs_active",
    help: "Runs that work in this process",
    registers,
    collect() {
      this.set(hub.activeRuns);
    },
  });
  hub.listen((happening) => {
    count(happening);
    if (happening.kind !== "run-ended") return;
    void sessionOf(happening.run)
      .then((session) => {
        const reason = session?.completionReason ?? happening.ending;
        runs.inc({ completion_reason: reason });
        if (session === undefined) return;
        turns.observe(session.turns.length);
        const seconds = durationSeconds(session);
        if (seconds !== undefined) duration.observe(seconds);
      })
      .catch(() => undefined);
  });
  return { contentType: registry.contentType, text: () => registry.metrics() };
}

function callCounters(registers: Registry[]): (happening: Happening) => void {
  const labelNames = ["role", "model"] as const;
  const counter = (name: string, help: string, more: readonly string[] = []) =>
    new Counter({ name, help, labelNames: [...labelNames, ...more], registers });
  const calls = counter("signoff_calls_total", "Calls, by how they went", ["outcome"]);
  const retries = counter("signoff_call_retries_total", "Attempts that will be made again");
  const tokens = counter("signoff_tokens_total", "Tokens of fresh calls", ["direction"]);
  const cost = counter("signoff_cost_micro_usd_total", "Known cost of fresh calls");
  const inFlight = new Gauge({
    name: "signoff_calls_in_flight",
    help: "Calls that were started and have not come back",
    registers,
  });
  return (happening) => {
    switch (happening.kind) {
      case "call-started":
        return inFlight.inc();
      case "call-failed": {
        const { role, model, retryInMs } = happening;
        inFlight.dec();
        calls.inc({ role, model, outcome: "failed" });
        return retryInMs === undefined ? undefined : retries.inc({ role, model });
      }
      case "call-replied": {
        const { role, model, usage, replayed } = happening;
        calls.inc({ role, model, outcome: replayed ? "replayed" : "replied" });
        if (replayed) return;
        inFlight.dec();
        tokens.inc({ role, model, direction: "input" }, usage?.input ?? 0);
        tokens.inc({ role, model, direction: "output" }, usage?.output ?? 0);
        return cost.inc({ role, model }, usage?.microUsd ?? 0);
      }
      case "run-started":
      case "run-ended":
      case "event":
      case "text":
        return;
    }
  };
}
