import { appendFileSync, readFileSync } from "node:fs";
import type { CrashPoint } from "../../domain/values/crash-points.ts";
import type { CrashPoints } from "../../ports/crash-points.ts";
import type { Environment } from "../settings/environment.ts";

/**
 * Does nothing, unless the crash suite asked for the process to be killed or held at a point. A held process
 * reads a named pipe, so it continues when the suite closes its end; signals sent meanwhile are handled then.
 */
export function createCrashPoints(environment: Environment): CrashPoints {
  const { stopAt, pauseAt, pausePipe, crashLog } = environment;
  if (stopAt === undefined && pauseAt === undefined && crashLog === undefined) {
    return { reach: () => undefined };
  }
  const reached = new Map<CrashPoint, number>();
  return {
    reach(name: CrashPoint): void {
      const time = (reached.get(name) ?? 0) + 1;
      reached.set(name, time);
      if (crashLog !== undefined) appendFileSync(crashLog, `${name}\n`);
      const isNow = (moment: Environment["stopAt"]): boolean =>
        name === moment?.point && time === moment.time;
      if (isNow(stopAt)) process.kill(process.pid, "SIGKILL");
      if (pausePipe !== undefined && isNow(pauseAt)) readFileSync(pausePipe);
    },
  };
}
