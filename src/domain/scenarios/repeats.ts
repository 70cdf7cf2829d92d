import type { ScenarioRecord, StepRecord } from "./run-record.ts";
import { rollUp, STATUSES, type Status } from "./step-status.ts";

/**
 * Several runs of one scenario as one: each step counts as its worst run, and is flaky if the runs differ in
 * status or in what was found. Repeating can therefore only make acceptance harder.
 */
export function foldRepeats(runs: readonly [ScenarioRecord, ...ScenarioRecord[]]): ScenarioRecord {
  const [first] = runs;
  if (runs.length === 1) return first;
  if (first.steps.some(({ dialogue }) => dialogue !== undefined)) return worstDialogue(runs);
  const steps = first.steps.map((step) => {
    const all = runs.flatMap((run) => run.steps.filter((one) => one.stepId === step.stepId));
    const worst = all.reduce(
      (left, right) => (badness(right) > badness(left) ? right : left),
      step,
    );
    const flaky = new Set(all.map(outcomeOf)).size > 1;
    const passed = all.filter(({ status }) => status === "accepted").length;
    return { ...worst, ...(flaky ? { flaky } : {}), repeats: { passed, of: all.length } };
  });
  return { ...first, ...versionsOf(runs), steps };
}

/** Open dialogues differ in their questions, so that the worst conversation counts as a whole. */
function worstDialogue(runs: readonly [ScenarioRecord, ...ScenarioRecord[]]): ScenarioRecord {
  const worst = runs.reduce((left, right) => (worstStep(right) > worstStep(left) ? right : left));
  const passed = runs.filter(({ steps }) => rollUp(steps) === "accepted").length;
  const repeats = { passed, of: runs.length };
  const isFlaky = passed > 0 && passed < runs.length;
  const steps = worst.steps.map((step) =>
    step.dialogue === "goal" ? { ...step, ...(isFlaky && { flaky: true }), repeats } : step,
  );
  return { ...worst, ...versionsOf(runs), steps };
}

interface Asked {
  /** The questions and the version of the assistant; absent where the version is not known. */
  readonly of?: string;
  readonly status: Status;
  /** Repeats in one run already differed. */
  readonly flaky?: boolean;
}

/** Whether one version of an assistant both passed a step and did not; another version may well answer otherwise. */
export function isFlaky(runs: readonly Asked[]): boolean {
  const passed = new Map<string, boolean>();
  return runs.some(({ of, status, flaky = false }) => {
    if (flaky || of === undefined) return flaky;
    const isPassed = status === "accepted";
    const before = passed.get(of) ?? isPassed;
    passed.set(of, isPassed);
    return before !== isPassed;
  });
}

function worstStep({ steps }: ScenarioRecord): number {
  return Math.max(...steps.map((step) => (step.criticality === "info" ? 0 : badness(step))));
}

function versionsOf(runs: readonly ScenarioRecord[]): Pick<ScenarioRecord, "assistantVersions"> {
  const versions = new Set(runs.flatMap(({ assistantVersions = [] }) => assistantVersions));
  return versions.size === 0 ? {} : { assistantVersions: [...versions] };
}

/** The share that passes, with 95 % confidence: Wilson's interval, which holds for few repeats too. */
export function passInterval({ passed, of }: NonNullable<StepRecord["repeats"]>): {
  readonly from: number;
  readonly to: number;
} {
  const z = 1.959964;
  const share = passed / of;
  const scale = 1 + z ** 2 / of;
  const middle = (share + z ** 2 / (2 * of)) / scale;
  const half = (z / scale) * Math.sqrt((share * (1 - share)) / of + z ** 2 / (4 * of ** 2));
  return { from: Math.max(0, middle - half), to: Math.min(1, middle + half) };
}

/** As people read it: `passed 3 of 5 (23–88 %)`. */
export function describeRepeats(repeats: NonNullable<StepRecord["repeats"]>): string {
  const { from, to } = passInterval(repeats);
  const percent = (share: number) => Math.round(share * 100);
  return `passed ${repeats.passed} of ${repeats.of} (${percent(from)}–${percent(to)} %)`;
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
