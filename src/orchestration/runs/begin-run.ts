import { defined } from "../../domain/values/defined.ts";
import type { RunId } from "../../domain/values/ids.ts";
import { isObject } from "../../domain/values/json.ts";
import { WorkflowError } from "../../domain/values/workflow-error.ts";
import type { Engine, SubmitOptions } from "../../ports/engine.ts";
import type { Budget, Job } from "../../ports/flow.ts";
import type { Reopening } from "../../ports/run-store.ts";

export interface BegunRun {
  readonly run: RunId;
  /** An unfinished run was found and continues; nothing recorded is asked again. */
  readonly continued: boolean;
}

export interface BeginRun extends Pick<SubmitOptions, "unlessUnfinished"> {
  /** The unfinished run of the same work, where the caller has found one. */
  readonly found?: RunId | undefined;
  /** Names a new run. */
  readonly run: RunId;
  /** The job of the n-th attempt. The same job id is the same run, so two concurrent processes make one run. */
  readonly jobOf: (attempt: number) => Job;
  /** From 1. */
  readonly attempt?: number;
  /** Whether a run that another process has started for this job is the requested one; if not, the next attempt is made. */
  readonly isWanted?: (run: RunId) => Promise<boolean>;
}

/** Continues the unfinished run of the same work, or creates one. The engine's `ending` waits for it. */
export async function beginRun(
  engine: Pick<Engine, "submit" | "resume">,
  { found, run, jobOf, attempt = 1, isWanted, unlessUnfinished }: BeginRun,
): Promise<BegunRun> {
  const first = jobOf(attempt);
  const { budget, settings } = first;
  const how = defined({ budget, settings: isObject(settings) ? settings : undefined });
  if (found !== undefined && (await resumeFound(engine, found, how)) !== "gone") {
    return { run: found, continued: true };
  }
  for (let number = attempt; number < attempt + mostAttempts; number += 1) {
    const job = number === attempt ? first : jobOf(number);
    const submitted = await engine.submit(job, { run, ...defined({ unlessUnfinished }) });
    if (submitted === run) return { run, continued: false };
    if (isWanted === undefined || (await isWanted(submitted))) {
      return { run: submitted, continued: true };
    }
  }
  throw new WorkflowError(`There are too many attempts of ${first.id}.`, {
    code: "attempts-spent",
  });
}

const mostAttempts = 10_000;

/**
 * Continues a run that was found unfinished. If another process has finished it since, it is `over`, and its result is
 * the requested one. A `gone` run was removed.
 */
export function continueRun(
  engine: Pick<Engine, "resume">,
  run: RunId,
  budget?: Budget,
): Promise<"running" | "over" | "gone"> {
  return resumeFound(engine, run, defined({ budget }));
}

async function resumeFound(
  engine: Pick<Engine, "resume">,
  run: RunId,
  how: Reopening,
): Promise<"running" | "over" | "gone"> {
  try {
    await engine.resume(run, how);
    return "running";
  } catch (error) {
    if (!(error instanceof WorkflowError)) throw error;
    if (error.code === "run-over") return "over";
    if (error.code === "run-unknown") return "gone";
    throw error;
  }
}
