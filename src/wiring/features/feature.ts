import type { Guard } from "../../domain/settings/acts.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { Clock } from "../../ports/clock.ts";
import type { CrashPoints } from "../../ports/crash-points.ts";
import type { Exclusively } from "../../ports/exclusively.ts";
import type { Flow, Place } from "../../ports/flow.ts";
import type { Projector } from "../../ports/projector.ts";
import type { ProjectStore } from "../../ports/store.ts";
import type { Environment } from "../settings/environment.ts";

/** What a feature may build on. */
export interface FeatureParts {
  readonly root: string;
  readonly store: ProjectStore;
  readonly exclusively: Exclusively;
  readonly clock: Clock;
  readonly crash: CrashPoints;
  readonly environment: Environment;
  /** Of this invocation; default: the default settings. */
  readonly settings?: Settings;
  /** Default: nothing is allowed. */
  readonly guard?: Guard;
}

/** What a feature brings to the engine: flows by job kind, and projectors for the events they emit. */
export interface Feature {
  readonly flows: readonly (readonly [kind: string, flow: Flow, place: Place])[];
  readonly projectors: readonly Projector[];
}
