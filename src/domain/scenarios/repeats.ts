import { defined } from "../values/defined.ts";
import type { ScenarioRecord, StepRecord } from "./run-record.ts";
import { STATUSES } from "./step-status.ts";

/**
 * Several runs of one scenario as one: each step counts as its worst run, and is flaky if the runs differ in
 * status or in what was found. Repeating can therefore only make acceptance harder.
 */
export function foldRepeats(runs: readonly [ScenarioRecord, ...ScenarioRecord[]]): ScenarioRecord {
  const [first] = runs;
  const steps = first.steps.map((step) => {
    const repeats = runs.flatMap((run) => run.steps.filter((one) => one.stepId === step.stepId));
    const worst = repeats.reduce(
      (left, right) => (badness(right) > badness(left) ? right : left),
      step,
    );
    const flaky = new Set(repeats.map(outcomeOf)).size > 1;
    return flaky ? { ...worst, flaky } : worst;
  });
  const versions = new Set(runs.flatMap(({ assistantVersions = [] }) => assistantVersions));
  const assistantVersions = versions.size === 0 ? undefined : [...versions];
  return { ...first, ...defined({ assistantVersions }), steps };
}

function badness(step: StepRecord): number {
  const weight = { P0: 1_000_000, P1: 1_000, P2: 1 } as const;
  const findings = step.findings.reduce((sum, finding) => sum + weight[finding.severity], 0);
  return STATUSES.indexOf(step.status) * 1e12 + findings;
}

function outcomeOf(step: StepRecord): string {
  const found = step.findings.map((finding) => `${finding.severity} ${finding.invariant}`).sort();
  return [step.status, ...found].join("|");
}
