import type { CrashPoint } from "../domain/values/crash-points.ts";

/**
 * Named points at which tests kill the process with SIGKILL; otherwise `reach` does nothing.
 */
export interface CrashPoints {
  reach(name: CrashPoint): void;
}
