/** Metrics for operators. Names are stable, and nothing depends on the values. */
export interface Metrics {
  count(name: CounterName, by: number, labels?: { readonly [name: string]: string }): void;
  observe(name: HistogramName, value: number): void;
  /** Moves a level up or down. */
  shift(name: GaugeName, by: 1 | -1): void;
}

export const counterNames = [
  "workflow_runs_total",
  "signoff_calls_total",
  "signoff_call_failures_total",
  "signoff_call_retries_total",
  "signoff_tokens_total",
  "signoff_cost_micro_usd_total",
] as const;

export const histogramNames = ["workflow_duration_seconds", "workflow_turns"] as const;

export const gaugeNames = ["signoff_runs_active", "signoff_calls_in_flight"] as const;

export type CounterName = (typeof counterNames)[number];
export type HistogramName = (typeof histogramNames)[number];
export type GaugeName = (typeof gaugeNames)[number];
