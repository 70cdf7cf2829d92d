import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { visibleLine } from "../../domain/values/visible.ts";
import {
  type CounterName,
  counterNames,
  type GaugeName,
  gaugeNames,
  type HistogramName,
  histogramNames,
  type Metrics,
} from "../../ports/metrics.ts";

export interface PrometheusMetrics extends Metrics {
  readonly contentType: string;
  text(): Promise<string>;
}

const help: { readonly [name in CounterName | HistogramName | GaugeName]: string } = {
  workflow_runs_total: "Runs that ended in this process, by how they ended.",
  signoff_calls_total: "Calls of models, by how they went: replied, replayed or failed.",
  signoff_call_failures_total: "Attempts that failed, by the error's code.",
  signoff_call_retries_total: "Failed attempts that were made again.",
  signoff_tokens_total: "Tokens of fresh replies, by direction: input or output.",
  signoff_cost_micro_usd_total: "Cost of fresh replies in micro-dollars, where the price is known.",
  workflow_duration_seconds: "From the start of a drafting run to its end.",
  workflow_turns: "Turns of a drafting run.",
  signoff_runs_active: "Runs that this process is working on.",
  signoff_calls_in_flight: "Calls that were started and have not come back.",
};

const labels: { readonly [name in CounterName]: readonly string[] } = {
  workflow_runs_total: ["completion_reason"],
  signoff_calls_total: ["role", "model", "outcome"],
  signoff_call_failures_total: ["role", "model", "code"],
  signoff_call_retries_total: ["role", "model"],
  signoff_tokens_total: ["role", "model", "direction"],
  signoff_cost_micro_usd_total: ["role", "model"],
};

const buckets: { readonly [name in HistogramName]: readonly number[] } = {
  workflow_duration_seconds: [1, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600],
  workflow_turns: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
};

/** The text format escapes line breaks and leaves everything else to act on whoever reads it. */
function visibleLabels(given: { readonly [label: string]: string }) {
  return Object.fromEntries(
    Object.entries(given).map(([label, value]) => [label, visibleLine(value)]),
  );
}

/** Counts in its own registry and renders it in the Prometheus text format. */
export function createPrometheusMetrics(): PrometheusMetrics {
  const registry = new Registry();
  const registers = [registry];
  const made = <Name extends CounterName | HistogramName | GaugeName, Metric>(
    names: readonly Name[],
    make: (about: { name: Name; help: string; registers: Registry[] }) => Metric,
  ) => new Map(names.map((name) => [name, make({ name, help: help[name], registers })]));
  const counters = made(
    counterNames,
    (about) => new Counter({ ...about, labelNames: [...labels[about.name]] }),
  );
  const histograms = made(
    histogramNames,
    (about) => new Histogram({ ...about, buckets: [...buckets[about.name]] }),
  );
  const gauges = made(gaugeNames, (about) => new Gauge(about));
  return {
    contentType: registry.contentType,
    count: (name, by, given = {}) => counters.get(name)?.inc(visibleLabels(given), by),
    observe: (name, value) => histograms.get(name)?.observe(value),
    shift: (name, by) => gauges.get(name)?.inc(by),
    text: () => registry.metrics(),
  };
}
