import { randomUUID } from "node:crypto";
import type { Guard } from "../../../domain/settings/acts.ts";
import { defined } from "../../../domain/values/defined.ts";
import { ConfigurationError } from "../../../domain/values/workflow-error.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { CoderOutput, CoderRun, RunCoder } from "../../../ports/coder.ts";
import { allowedEnvironment, type EnvironmentVariables } from "./allowed-environment.ts";
import type { CoderLedger, CoderNote } from "./coder-ledger.ts";
import { commandPresets } from "./command-presets.ts";
import { outputReaders } from "./command-runner.ts";
import { markName } from "./marked-processes.ts";
import { runProcess } from "./run-process.ts";

export interface CoderRunnerSettings {
  /** Where the coder works. */
  readonly cwd: string;
  readonly clock: Pick<Clock, "monotonic" | "sleep">;
  /** The whole environment; the coder sees the harmless variables and the keys of the known agents. */
  readonly environment: EnvironmentVariables;
  readonly graceMs?: number;
  readonly ledger: CoderLedger;
  readonly guard: Guard;
}

const mostKept = 16 * 1024 * 1024;
const grace = 5_000;

/**
 * Runs each coder in its own process group, so that nothing of it outlives its time limit. A coder whose parent
 * process is gone is ended before another starts: two at once would change the same files.
 */
export function createCoderRunner(settings: CoderRunnerSettings): RunCoder {
  const { cwd, clock, ledger, guard, graceMs = grace } = settings;
  const passes = Object.values(commandPresets).flatMap((preset) => preset.passes);
  const environment = allowedEnvironment(settings.environment, passes);
  return async ({ argv, input, timeoutMs, reads }, signal): Promise<CoderRun> => {
    await ledger.endOrphans();
    const mark = randomUUID();
    const end = await noted(await ledger.note(mark), (onStart) =>
      runProcess({
        argv,
        input,
        cwd,
        guard,
        environment: { ...environment, [markName]: mark },
        clock,
        signal,
        limits: { wallMs: timeoutMs, outputBytes: mostKept, errorBytes: mostKept, graceMs },
        onStart,
      }),
    );
    if (end.kind === "not-started") {
      throw new ConfigurationError(`The coder ${argv[0]} cannot be started (${end.reason}).`, {
        code: "coder-not-started",
        facts: { program: argv[0] ?? "", reason: end.reason },
        hint: "Install it, or name another with --coder.",
      });
    }
    const { stdout, stderr } = end;
    const said = { stdout, stderr, reply: lastMessage(stdout, reads) };
    if (end.kind === "stopped") return { ...said, timedOut: end.limit === "wall" };
    return { ...said, timedOut: false, ...defined({ exitCode: end.code ?? undefined }) };
  };
}

/** The note is written before the coder starts and removed after all of it has ended. */
async function noted<T>(
  note: CoderNote,
  work: (onStart: (pid: number) => Promise<void>) => Promise<T>,
): Promise<T> {
  let started: Promise<void> | undefined;
  try {
    return await work((pid) => {
      started = note.started(pid);
      return started;
    });
  } finally {
    await started?.catch(() => undefined);
    await note.forget();
  }
}

/** The last message in what a coder printed; the whole output if it cannot be read. */
export function lastMessage(stdout: string, reads: CoderOutput): string {
  const output = outputReaders[reads](stdout);
  return output.kind === "reply" ? output.text : stdout;
}
