import { appendFileSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { cpuUsage, env, kill } from "node:process";
import { type RunnerTask, type RunnerTestCase, type RunnerTestFile, TestRunner } from "vitest";

interface Plan {
  /** Mutants to try. */
  readonly open: readonly string[];
  /** Tests of an earlier process that have tried all their mutants. */
  readonly done: readonly string[];
  /** The test at which the last process was killed; mutants with this number or a higher one were tried. */
  readonly resume?: { readonly test: string; readonly mutant: string };
  /** Milliseconds of processor time; a test that needs more is too slow to repeat for every mutant. */
  readonly slowest: number;
  readonly folder: string;
}

/** What the instrumented code reads and writes. */
interface Switch {
  activeMutant?: string;
  currentTestId?: string;
  hitCount?: number;
  hitLimit?: number;
  mutantCoverage?: {
    readonly static: Readonly<Record<string, number>>;
    readonly perTest: Record<string, Readonly<Record<string, number>>>;
  };
}

/** Kept between files, which share this worker. */
interface Campaign {
  readonly open: Set<string>;
  readonly chosen: ReadonlySet<string>;
  readonly done: ReadonlySet<string>;
  readonly resume: Plan["resume"];
  readonly slowest: number;
  readonly log: string;
  readonly current: number;
}

const shared = globalThis as { __stryker__?: Switch; mutationCampaign?: Campaign };
shared.__stryker__ ??= countingSwitch();
const mutants = shared.__stryker__;
shared.mutationCampaign ??= startCampaign();
const campaign = shared.mutationCampaign;

function startCampaign(): Campaign {
  const plan: Plan = JSON.parse(readFileSync(env.MUTATION_PLAN ?? "", "utf8"));
  return {
    open: new Set(plan.open),
    chosen: new Set(plan.open),
    done: new Set(plan.done),
    resume: plan.resume,
    slowest: plan.slowest,
    log: join(plan.folder, "log.jsonl"),
    current: openSync(join(plan.folder, "current"), "w"),
  };
}

function write(line: object): void {
  appendFileSync(campaign.log, `${JSON.stringify(line)}\n`);
}

/** Beyond the limit the instrumented code throws; code that catches it and goes on would do so for ever. */
const mostThrows = 1000;

function countingSwitch(): Switch {
  let hits = 0;
  const counting: Switch = {
    get hitCount() {
      return hits;
    },
    set hitCount(count: number) {
      hits = count;
      const { activeMutant, hitLimit = 0 } = counting;
      if (activeMutant !== undefined && hits > hitLimit + mostThrows) endAtTimeout(activeMutant);
    },
  };
  return counting;
}

/** The next process goes on at the next mutant of this test. */
function endAtTimeout(mutant: string): void {
  write({ timeout: mutant });
  kill(0, "SIGKILL");
}

/** Whoever watches from outside sees which mutant runs, or ran last, in which test. */
function announce(id: string | undefined, test: string): void {
  writeSync(campaign.current, `${id ?? "none"} ${test}`.padEnd(80), 0);
}

function activate(id: string | undefined, hits: number): void {
  if (id === undefined) delete mutants.activeMutant;
  else mutants.activeMutant = id;
  mutants.hitLimit = hits * 100 + 1000;
  mutants.hitCount = 0;
}

/** Tests of one file that a mutant survives; after so many rows of a table it is not tried on the rest. */
const mostTries = 150;

/** Vitest repeats a test as often as this says, and asks before each repetition. */
class Repetitions {
  waiting: string[] = [];
  hits: Readonly<Record<string, number>> = {};
  active: string | undefined;
  /** The mutant with which the test failed; it counts if the test passes again without it. */
  failed: string | undefined;
  /** Mutants since the test last ran as it is. */
  tried = 0;
  usualMilliseconds = 0;
  start = cpuUsage();
  isFirst = true;
  #allowed = 0;

  valueOf(): number {
    return this.#allowed;
  }

  allow(): void {
    this.#allowed += 1;
  }
}

/**
 * Runs each test once as it is, then once with each open mutant that it reaches, with all its hooks. After a failure it
 * runs as it is once more. If that fails or takes much longer, something was left behind, and a new process goes on.
 */
export default class MutantRunner extends TestRunner {
  readonly #tries = new Map<string, number>();
  readonly #repetitions = new WeakMap<object, Repetitions>();

  override onCollected(files: RunnerTestFile[]): void {
    for (const file of files) skipAll(file.tasks);
  }

  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    await super.onBeforeRunTask(test);
    if (test.mode !== "run" && test.mode !== "queued") return;
    const repetitions = new Repetitions();
    this.#repetitions.set(test, repetitions);
    Object.assign(test, { repeats: repetitions });
    mutants.currentTestId = test.id;
  }

  override onBeforeTryTask(
    test: RunnerTestCase,
    options: { retry: number; repeats: number },
  ): void {
    super.onBeforeTryTask(test, options);
    const repetitions = this.#repetitions.get(test);
    if (repetitions === undefined) return;
    repetitions.start = cpuUsage();
    const { isFirst, failed } = repetitions;
    const id = isFirst || failed !== undefined ? undefined : repetitions.waiting.pop();
    repetitions.active = id;
    announce(id ?? failed, test.id);
    activate(id, repetitions.hits[id ?? ""] ?? 0);
  }

  override async onAfterRetryTask(
    test: RunnerTestCase,
    options: { retry: number; repeats: number },
  ): Promise<void> {
    await super.onAfterRetryTask(test, options);
    activate(undefined, 0);
    const repetitions = this.#repetitions.get(test);
    if (repetitions === undefined || test.result === undefined) return;
    const hasFailed = test.result.state === "fail";
    const why = test.result.errors?.map(({ message }) => message).join("; ");
    delete test.result.errors;
    test.result.state = "pass";
    this.#judge(test, repetitions, hasFailed, why);
    announce(undefined, test.id);
    if (repetitions.failed !== undefined || repetitions.waiting.length > 0) repetitions.allow();
  }

  #judge(test: RunnerTestCase, one: Repetitions, hasFailed: boolean, why?: string): void {
    if (one.isFirst) {
      one.isFirst = false;
      this.#plan(test, one, hasFailed, why);
    } else if (one.failed !== undefined) {
      this.#check(test, one, hasFailed);
    } else {
      one.tried += 1;
      if (hasFailed) one.failed = one.active;
    }
  }

  /** The test has run as it is after a failure. What an earlier mutant left behind may have caused that failure. */
  #check(test: RunnerTestCase, one: Repetitions, hasFailed: boolean): void {
    const mutant = one.failed ?? "";
    const isClean = !hasFailed && millisecondsSince(one.start) <= 3 * one.usualMilliseconds + 100;
    const isProven = !hasFailed || one.tried === 1;
    if (isProven) {
      campaign.open.delete(mutant);
      write({ killed: mutant, by: test.fullName });
    }
    one.failed = undefined;
    one.tried = 0;
    if (isClean) return;
    const next = isProven ? mutant : `${Number(mutant) + 1}`;
    write({ resume: { test: test.id, mutant: next } });
    kill(0, "SIGKILL");
  }

  #plan(test: RunnerTestCase, one: Repetitions, hasFailed: boolean, why?: string): void {
    const milliseconds = millisecondsSince(one.start);
    one.usualMilliseconds = milliseconds;
    one.hits = mutants.mutantCoverage?.perTest[test.id] ?? {};
    delete mutants.currentTestId;
    const reached = Object.keys(one.hits).filter((id) => campaign.chosen.has(id));
    write({ reached, by: test.fullName, milliseconds });
    if (hasFailed) write({ unfit: test.fullName, why: `fails without a mutant: ${why}` });
    else if (milliseconds > campaign.slowest)
      write({ unfit: test.fullName, why: `${milliseconds} ms` });
    else one.waiting = reached.filter((id) => this.#isToBeTried(test, id));
  }

  #isToBeTried(test: RunnerTestCase, id: string): boolean {
    const { open, resume } = campaign;
    if (!open.has(id)) return false;
    // Mutants are taken from the end of the list, which is in the order of their numbers.
    if (resume?.test === test.id && Number(id) >= Number(resume.mutant)) return false;
    const place = `${test.file.filepath}|${id}`;
    const tries = (this.#tries.get(place) ?? 0) + 1;
    this.#tries.set(place, tries);
    return tries <= mostTries;
  }

  override onAfterRunTask(test: RunnerTestCase): void {
    super.onAfterRunTask(test);
    if (!this.#repetitions.has(test)) return;
    Object.assign(test, { repeats: undefined });
    delete mutants.currentTestId;
    delete mutants.mutantCoverage?.perTest[test.id];
    write({ done: test.id });
  }

  override onAfterRunFiles(files: Parameters<TestRunner["onAfterRunFiles"]>[0]): void {
    super.onAfterRunFiles(files);
    const onLoad = Object.keys(mutants.mutantCoverage?.static ?? {});
    write({ ended: files?.map(({ filepath }) => filepath), onLoad });
  }
}

function millisecondsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = cpuUsage(start);
  return Math.round((user + system) / 1000);
}

/** Tests of size take seconds on instrumented code and say nothing that a small test does not say. */
const ofSize = /megabyte|hundred thousand|flood of|no reply at all makes|\d{5,} turns/u;

function skipAll(tasks: readonly RunnerTask[]): void {
  for (const task of tasks) {
    if ("tasks" in task) skipAll(task.tasks);
    else if (campaign.done.has(task.id) || ofSize.test(task.name)) task.mode = "skip";
  }
}
