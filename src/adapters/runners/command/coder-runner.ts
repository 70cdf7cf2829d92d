import { randomUUID } from "node:crypto";
import { ConfigurationError } from "../../../domain/values/workflow-error.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { CoderOutput, CoderProgram, CoderRun, RunCoder } from "../../../ports/coder.ts";
import { allowedEnvironment, type Environment } from "./allowed-environment.ts";
import { readClaudeOutput } from "./claude-output.ts";
import type { CoderLedger, CoderNote } from "./coder-ledger.ts";
import { readCodexOutput } from "./codex-output.ts";
import { commandPresets } from "./command-presets.ts";
import { markName } from "./marked-processes.ts";
import { runProcess } from "./run-process.ts";

export interface CoderRunnerSettings {
  /** Where the coder works. */
  readonly cwd: string;
  readonly clock: Pick<Clock, "monotonic" | "sleep">;
  /** All variables there are; the coder sees the harmless ones and the keys of the known agents. */
  readonly environment: Environment;
  readonly graceMs?: number;
  readonly ledger: CoderLedger;
}

const mostKept = 16 * 1024 * 1024;
const grace = 5_000;

/**
 * Runs coders in a process group of their own, so that none of it outlives its time. One that outlived the process
 * that started it is ended before another begins: two at once would change the same files.
 */
export function createCoderRunner(settings: CoderRunnerSettings): RunCoder {
  const { cwd, clock, ledger, graceMs = grace } = settings;
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
    return {
      ...said,
      timedOut: false,
      ...(end.code === null ? {} : { exitCode: end.code }),
    };
  };
}

/** The note is there before the coder is, and goes when all of it is gone. */
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

/** Coders that are known by name, started so that they may change files. */
export const coderPresets: { readonly [name: string]: Omit<CoderProgram, "timeoutMs"> } = {
  claude: {
    argv: [
      ...["claude", "-p", "--output-format", "json", "--permission-mode", "acceptEdits"],
      "--strict-mcp-config",
    ],
    reads: "claude-json",
  },
  codex: {
    argv: ["codex", "exec", "--json", "--sandbox", "workspace-write", "-"],
    reads: "codex-json",
  },
};

/** Any other program prints its result itself. */
export function lastMessage(stdout: string, reads: CoderOutput): string {
  if (reads === "text") return stdout;
  const output = reads === "claude-json" ? readClaudeOutput(stdout) : readCodexOutput(stdout);
  return output.kind === "reply" ? output.text : stdout;
}
