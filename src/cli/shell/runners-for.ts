import { defined } from "../../domain/values/defined.ts";
import type { RunnerFor } from "../../ports/runner.ts";
import { createRunnerFor } from "../../wiring/models/runners.ts";
import { clockOf } from "../../wiring/project/system-clock.ts";
import type { LoadedSettings } from "../../wiring/settings/settings.ts";
import type { CliContext } from "./cli-context.ts";

/** Finds models without opening the project, for calls that are not recorded. */
export function runnersFor(
  cli: CliContext,
  root: string,
  {
    workspace,
    settings,
    redactor,
    guard,
  }: Pick<LoadedSettings, "settings" | "redactor" | "guard"> & {
    /** Where scripts may change files. */
    readonly workspace?: string;
  },
): RunnerFor {
  const { environment } = cli;
  const clock = clockOf(environment);
  const access = { settings, redactor, environment, guard: guard.allow };
  return createRunnerFor({ root, clock, access, ...defined({ workspace }) });
}
