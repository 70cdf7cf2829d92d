import { Counter, Histogram, Registry } from "prom-client";
import { counterNames, histogramNames, type Metrics } from "../../ports/metrics.ts";

const help: { readonly [name: string]: string } = {
  workflow_runs_total: "Drafting runs that ended, by how they ended.",
  signoff_calls_total: "Replies of models, by role and model; replays are not counted.",
  signoff_call_failures_total: "Physical attempts that failed, by model and code.",
  signoff_retries_total: "Attempts that were made again.",
  signoff_tokens_total: "Tokens, by model and direction.",
  signoff_cost_micro_usd_total: "Cost in micro-dollars where the price is known, by model.",
  workflow_duration_seconds: "From the start of a drafting run to its end.",
  workflow_turns: "Turns of a drafting run.",
};

const labelsOf: { readonly [name: string]: readonly string[] } = {
  workflow_runs_total: ["completion_reason"],
  signoff_calls_total: ["role", "model"],
  signoff_call_failures_total: ["model", "code"],
  signoff_retries_total: ["model"],
  signoff_tokens_total: ["model", "direction"],
  signoff_cost_micro_usd_total: ["model"],
};

const buckets = {
  workflow_duration_seconds: [1, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600],
  workflow_turns: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
} as const;

/** Counts in a registry of its own and gives it as Prometheus reads it. */
export function createPrometheusMetrics(): Metrics & { text(): Promise<string> } {
  const registry = new Registry();
  const counters = new Map(
    counterNames.map((name) => {
      const labelNames = [...(labelsOf[name] ?? [])];
      const registers = [registry];
      return [name, new Counter({ name, help: help[name] ?? name, labelNames, registers })];
    }),
  );
  const histograms = new Map(
    histogramNames.map((name) => {
      const registers = [registry];
      return [
        name,
        new Histogram({ name, help: help[name] ?? name, buckets: [...buckets[name]], registers }),
      ];
    }),
  );
  return {
    count: (name, by, labels = {}) => counters.get(name)?.inc({ ...labels }, by),
    observe: (name, value) => histograms.get(name)?.observe(value),
    text: () => registry.metrics(),
  };
}
