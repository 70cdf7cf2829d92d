import { appendFileSync } from "node:fs";
import type { CrashPoint } from "../domain/values/crash-points.ts";
import type { CrashPoints } from "../ports/crash-points.ts";
import type { Environment } from "./config.ts";

/** Does nothing, unless the crash suite asked for the process to be killed at a point. */
export function createCrashPoints({ stopAt, crashLog }: Environment): CrashPoints {
  if (stopAt === undefined && crashLog === undefined) return { reach: () => undefined };
  let reached = 0;
  return {
    reach(name: CrashPoint): void {
      if (crashLog !== undefined) appendFileSync(crashLog, `${name}\n`);
      if (name !== stopAt?.point) return;
      reached += 1;
      if (reached === stopAt.time) process.kill(process.pid, "SIGKILL");
    },
  };
}
