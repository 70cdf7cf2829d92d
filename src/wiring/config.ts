import { type CrashPoint, crashPoints } from "../domain/values/crash-points.ts";
import { ConfigurationError } from "../domain/values/workflow-error.ts";

/** What Signoff takes from the environment. Nothing else in the program reads it. */
export interface Environment {
  readonly home: string | undefined;
  readonly user: string | undefined;
  readonly noColor: string | undefined;
  readonly forceColor: string | undefined;
  readonly term: string | undefined;
  /** Crash suite: kill the process when the point is reached for the n-th time. */
  readonly stopAt: { readonly point: CrashPoint; readonly time: number } | undefined;
  /** Crash suite: a file that gets one line for each point reached. */
  readonly crashLog: string | undefined;
  /** Crash suite: the clock stands still at this moment, so that two runs write the same bytes. */
  readonly fixedTime: string | undefined;
}

export function readEnvironment(env: NodeJS.ProcessEnv = process.env): Environment {
  return {
    home: env.HOME,
    user: nonEmpty(env.SIGNOFF_USER),
    noColor: nonEmpty(env.NO_COLOR),
    forceColor: nonEmpty(env.FORCE_COLOR),
    term: nonEmpty(env.TERM),
    stopAt: readStopAt(nonEmpty(env.SIGNOFF_STOP_AT)),
    crashLog: nonEmpty(env.SIGNOFF_CRASH_LOG),
    fixedTime: nonEmpty(env.SIGNOFF_FIXED_TIME),
  };
}

function nonEmpty(value: string | undefined): string | undefined {
  return value === undefined || value === "" ? undefined : value;
}

function readStopAt(text: string | undefined): Environment["stopAt"] {
  if (text === undefined) return undefined;
  const [name, time = "1"] = text.split(":");
  const point = crashPoints.find((known) => known === name);
  if (point === undefined || !/^[1-9]\d*$/.test(time)) {
    throw new ConfigurationError(`SIGNOFF_STOP_AT=${text} names no crash point.`, {
      code: "environment-invalid",
      facts: { variable: "SIGNOFF_STOP_AT" },
      hint: `Known points: ${crashPoints.join(", ")}.`,
    });
  }
  return { point, time: Number(time) };
}

/** A variable that a person's own settings name; empty counts as unset. */
export function readVariable(
  name: string,
  env: NodeJS.ProcessEnv = process.env,
): string | undefined {
  return nonEmpty(env[name]);
}
