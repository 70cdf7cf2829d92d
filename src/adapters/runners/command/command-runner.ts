import type { Guard } from "../../../domain/settings/acts.ts";
import { defined } from "../../../domain/values/defined.ts";
import { ConfigurationError, RunnerError } from "../../../domain/values/workflow-error.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { CoderOutput } from "../../../ports/coder.ts";
import type { AskRequest, Attempted, Runner } from "../../../ports/runner.ts";
import type { AgentOutput } from "../../../protocol/agents/agent-output.ts";
import { readClaudeOutput } from "../../../protocol/agents/claude-output.ts";
import { readCodexOutput } from "../../../protocol/agents/codex-output.ts";
import { readGeminiOutput } from "../../../protocol/agents/gemini-output.ts";
import { readableDetail } from "../readable-detail.ts";
import { allowedEnvironment, type EnvironmentVariables } from "./allowed-environment.ts";
import type { CommandPreset } from "./command-presets.ts";
import {
  type ProcessEnd,
  type ProcessLimits,
  type ProcessPipes,
  runProcess,
} from "./run-process.ts";
import { talkAcp } from "./talk-acp.ts";

export interface CommandSettings extends CommandPreset {
  /** As in `command/<name>`. */
  readonly name: string;
  readonly clock: Clock;
  /** The whole environment; the command sees the harmless variables and those it `passes`. */
  readonly environment: EnvironmentVariables;
  readonly cwd: string;
  readonly guard: Guard;
  readonly outputBytes?: number;
  readonly graceMs?: number;
}

const mostOutput = 16 * 1024 * 1024;
const grace = 5_000;

export const outputReaders: Readonly<Record<CoderOutput, (stdout: string) => AgentOutput>> = {
  text: (stdout) => ({ kind: "reply", text: stdout }),
  "claude-json": readClaudeOutput,
  "codex-json": readCodexOutput,
  "gemini-json": readGeminiOutput,
};

/** Runs a program: the prompt goes to its standard input, never into argv and never through a shell. */
export function createCommandRunner(settings: CommandSettings): Runner {
  const { name, argv, cwd, clock, reads, passes, guard } = settings;
  if ((argv[0] ?? "") === "") {
    throw new ConfigurationError(`commands.${name} has no program to run.`, {
      code: "bad-command",
      facts: { command: name },
    });
  }
  // Refused before anything else is asked; the process itself is guarded again.
  guard({ kind: "program", argv, folder: cwd });
  const environment = allowedEnvironment(settings.environment, passes);
  const secrets = passes.map((variable) => environment[variable] ?? "");
  return {
    async attempt(request, signal, onText): Promise<Attempted> {
      const startedAt = clock.now();
      const prompt = promptOf(request);
      let talked: AgentOutput | undefined;
      const talk = async (pipes: ProcessPipes) => {
        talked = await talkAcp(pipes, { prompt, cwd, ...defined({ onText }) });
      };
      const end = await runProcess({
        ...{ argv, cwd, guard, environment, clock },
        signal,
        input: prompt,
        limits: limitsOf(settings),
        ...defined({
          onOutput: reads === "text" ? onText : undefined,
          talk: reads === "acp" ? talk : undefined,
        }),
      });
      const failures = new CommandFailures(settings, secrets);
      const ended = exitOf(end, failures);
      const reply =
        reads === "acp" ? spoken(talked, ended, failures) : printed(reads, ended, failures);
      const text = textOf(reply, request);
      if (reads !== "text" && reads !== "acp") onText?.(text);
      return {
        kind: "replied",
        reply: {
          text,
          model: reply.model === undefined ? `command/${name}` : `command/${name}:${reply.model}`,
          finish: reply.isCut === true ? "cut" : "complete",
          ...defined({ usage: reply.usage }),
          startedAt,
          finishedAt: clock.now(),
        },
      };
    },
  };
}

function exitOf(ended: ProcessEnd, failures: CommandFailures): ExitedProcess {
  if (ended.kind === "not-started") throw failures.notStarted(ended.reason);
  if (ended.kind === "stopped") throw failures.stopped(ended);
  return ended;
}

function printed(reads: CoderOutput, ended: ExitedProcess, failures: CommandFailures) {
  const output = outputReaders[reads](ended.stdout);
  if (output.kind === "error") throw failures.said(output.message);
  if (ended.code !== 0) throw failures.exited(ended);
  if (output.kind === "unreadable") throw failures.unreadable(ended.stdout);
  return output;
}

/** We end an agent that has answered; if it ends by itself, its exit says more than the broken talk. */
function spoken(talked: AgentOutput | undefined, ended: ExitedProcess, failures: CommandFailures) {
  if (talked?.kind === "reply") return talked;
  if (talked?.kind === "error" && !ended.code) throw failures.said(talked.message);
  throw failures.exited(ended);
}

/** A writer's last message is the text; a reviewer may object in an earlier one. */
function textOf(reply: { readonly text: string; readonly whole?: string }, { role }: AskRequest) {
  return role === "creator" ? reply.text : (reply.whole ?? reply.text);
}

function promptOf({ system, user }: AskRequest): string {
  return system === "" ? user : `${system}\n\n${user}`;
}

function limitsOf(settings: CommandSettings): ProcessLimits {
  const { seconds, idleSeconds, outputBytes = mostOutput, graceMs = grace } = settings;
  return {
    wallMs: seconds * 1_000,
    ...defined({ idleMs: idleSeconds && idleSeconds * 1_000 }),
    outputBytes,
    graceMs,
  };
}

type ExitedProcess = Extract<ProcessEnd, { kind: "exited" }>;

/** Error codes by the text of an agent's error; the first match counts. */
const saidCodes: readonly (readonly [pattern: RegExp, code: string, retryable: boolean])[] = [
  [/usage limit|limit reached|quota|credit balance/iu, "quota-used-up", false],
  [/\b429\b|rate.?limit/iu, "rate-limited", true],
  [/\b(?:529|503)\b|overloaded/iu, "overloaded", true],
  [/\b40[13]\b|log ?in|api key|unauthori[sz]ed|authenticat/iu, "unauthorized", false],
  [/\b5\d\d\b|internal server error/iu, "server-error", true],
  [/ECONN|network|disconnected|timed? ?out|broken pipe/iu, "connection-cut", true],
];

class CommandFailures {
  readonly #settings: CommandSettings;
  readonly #secrets: readonly string[];

  constructor(settings: CommandSettings, secrets: readonly string[]) {
    this.#settings = settings;
    this.#secrets = secrets;
  }

  notStarted(reason: string): RunnerError {
    const [program = ""] = this.#settings.argv;
    const { name, cwd } = this.#settings;
    if (reason === "ENOENT") {
      const where = cwd === undefined ? "" : ` (in ${cwd})`;
      return this.#failure(`The program ${program} was not found${where}.`, {
        code: "command-not-found",
        hint: `Install it, or set commands.${name}.argv to its path.`,
      });
    }
    return this.#failure(`The program ${program} cannot be run (${reason}).`, {
      code: "command-not-executable",
      hint: "Check that the file is a program and that you may run it.",
    });
  }

  stopped(end: Extract<ProcessEnd, { kind: "stopped" }>): RunnerError {
    const { name, seconds, idleSeconds = 0, outputBytes = mostOutput } = this.#settings;
    switch (end.limit) {
      case "wall":
        return this.#failure(`command/${name} was not done after ${seconds} s and was ended.`, {
          code: "timed-out",
          retryable: true,
          hint: `Raise commands.${name}.seconds if it needs longer.`,
        });
      case "idle":
        return this.#failure(`command/${name} said nothing for ${idleSeconds} s and was ended.`, {
          code: "timed-out",
          retryable: true,
        });
      case "output":
        return this.#failure(
          `command/${name} printed more than ${outputBytes} bytes and was ended.`,
          { code: "output-too-large" },
        );
    }
  }

  said(message: string): RunnerError {
    const [, code, retryable] = saidCodes.find(([pattern]) => pattern.test(message)) ?? [];
    return this.#failure(`command/${this.#settings.name} reports: ${this.#shown(message)}`, {
      code: code ?? "command-failed",
      retryable: retryable ?? false,
    });
  }

  exited({ code, by, stderr, stdout }: ExitedProcess): RunnerError {
    const how = code === null ? `was ended by ${by}` : `ended with code ${code}`;
    const detail = this.#shown(stderr.trim() === "" ? stdout : stderr);
    const said = detail === "" ? "." : `: ${detail}`;
    return this.#failure(`command/${this.#settings.name} ${how}${said}`, {
      code: "command-failed",
      facts: { exit_code: code, signal: by },
    });
  }

  unreadable(stdout: string): RunnerError {
    const { name, reads } = this.#settings;
    const seen = stdout.trim() === "" ? "nothing" : `“${this.#shown(stdout)}”`;
    return this.#failure(`command/${name} printed ${seen}, which is not ${reads}.`, {
      code: "bad-reply",
      hint: `Set commands.${name}.reads to what it prints.`,
    });
  }

  #shown(text: string): string {
    return readableDetail(text, this.#secrets);
  }

  #failure(
    message: string,
    about: Omit<ConstructorParameters<typeof RunnerError>[1], "cause">,
  ): RunnerError {
    const facts = { command: this.#settings.name, ...about.facts };
    return new RunnerError(message, { ...about, facts });
  }
}
