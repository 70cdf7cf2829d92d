import type { CrashPoint } from "../domain/values/crash-points.ts";

/**
 * The dangerous moments, by name. Tests stop the process at each of them with SIGKILL; otherwise `reach` does
 * nothing.
 */
export interface CrashPoints {
  reach(name: CrashPoint): void;
}
