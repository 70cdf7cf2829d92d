import { definitionVersion } from "../../domain/values/definition-version.ts";
import { placeOfJob } from "../../orchestration/runs/place-of-job.ts";
import type { Job, Place } from "../../ports/flow.ts";

/** What workers that know this version of the flows take from the queue. */
export const currentTask = `execute-${definitionVersion}`;

/** Undefined for a job that the process with the project's folder executes itself. */
export function taskOfJob(job: Job, places: ReadonlyMap<string, Place>): string | undefined {
  const place = placeOfJob(job, places.get(job.kind) ?? "home");
  return place === "anywhere" ? currentTask : undefined;
}
