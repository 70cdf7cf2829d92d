import { type CrashPoint, crashPoints } from "../domain/values/crash-points.ts";
import { ConfigurationError } from "../domain/values/workflow-error.ts";

/** The n-th time that a crash point is reached, from 1. */
export interface Moment {
  readonly point: CrashPoint;
  readonly time: number;
}

/** What Signoff takes from the environment. Nothing else in the program reads it. */
export interface Environment {
  readonly home: string | undefined;
  readonly user: string | undefined;
  readonly noColor: string | undefined;
  readonly forceColor: string | undefined;
  readonly term: string | undefined;
  /** Crash suite: kill the process when the point is reached for the n-th time. */
  readonly stopAt: Moment | undefined;
  /** Crash suite: hold the process there until somebody opens and closes `pausePipe` for writing. */
  readonly pauseAt: Moment | undefined;
  readonly pausePipe: string | undefined;
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
    stopAt: readMoment("SIGNOFF_STOP_AT", env),
    pauseAt: readMoment("SIGNOFF_PAUSE_AT", env),
    pausePipe: nonEmpty(env.SIGNOFF_PAUSE_PIPE),
    crashLog: nonEmpty(env.SIGNOFF_CRASH_LOG),
    fixedTime: nonEmpty(env.SIGNOFF_FIXED_TIME),
  };
}

function nonEmpty(value: string | undefined): string | undefined {
  return value === undefined || value === "" ? undefined : value;
}

function readMoment(variable: string, env: NodeJS.ProcessEnv): Moment | undefined {
  const text = nonEmpty(env[variable]);
  if (text === undefined) return undefined;
  const [name, time = "1"] = text.split(":");
  const point = crashPoints.find((known) => known === name);
  if (point === undefined || !/^[1-9]\d*$/.test(time)) {
    throw new ConfigurationError(`${variable}=${text} names no crash point.`, {
      code: "environment-invalid",
      facts: { variable },
      hint: `Known points: ${crashPoints.join(", ")}.`,
    });
  }
  return { point, time: Number(time) };
}
