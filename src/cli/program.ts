import { Command, CommanderError } from "commander";
import { version } from "../domain/values/version.ts";
import { type Environment, readEnvironment } from "../wiring/config.ts";
import type { CliContext } from "./cli-context.ts";
import { registerDemo } from "./commands/demo.ts";
import { registerDoctor } from "./commands/doctor.ts";
import { registerDraft } from "./commands/draft.ts";
import { registerInbox } from "./commands/inbox.ts";
import { registerRuns } from "./commands/runs.ts";
import { registerStudio } from "./commands/studio.ts";
import { type ExitCode, exitCode, exitCodeOfError } from "./exit-code.ts";
import { renderError } from "./render/render-error.ts";
import { decidePalette } from "./terminal/palette.ts";
import { openScreen, printLines } from "./terminal/screen.ts";

/** Runs one command and returns the process's exit code; never throws. */
export async function runProgram(args: readonly string[]): Promise<number> {
  const screen = openScreen(process);
  const program = new Command("signoff");
  let ended: ExitCode = exitCode.accepted;
  try {
    const environment = readEnvironment();
    const cli: CliContext = {
      screen,
      environment,
      cwd: process.cwd(),
      debug: () => program.opts().debug === true,
      layoutOf: (sink) => ({
        width: sink.columns(),
        palette: paletteFor(environment, sink.isTerminal),
      }),
      end: (code) => {
        ended = code;
      },
      onInterrupt,
    };
    await createProgram(program, cli).parseAsync(args, { from: "user" });
    return ended;
  } catch (error) {
    if (error instanceof CommanderError) return exitCodeOfError(error);
    const layout = {
      width: screen.err.columns(),
      palette: paletteFor(undefined, screen.err.isTerminal),
    };
    const debug = program.opts().debug === true;
    printLines(screen.err, renderError(error, { ...layout, debug }));
    return exitCodeOfError(error);
  }
}

/** The command tree; nothing heavy is loaded until a command runs. */
export function createProgram(program: Command, cli: CliContext): Command {
  program
    .description(
      "Runs AI writing and AI review as loops that end only when both sides sign, and keeps the proof.",
    )
    .version(version, "-V, --version")
    .option("--debug", "show where an error comes from")
    .exitOverride()
    .showHelpAfterError("(add --help for usage)")
    .addHelpText("after", rootExamples);
  registerDemo(program, cli);
  registerDraft(program, cli);
  registerRuns(program, cli);
  registerInbox(program, cli);
  registerStudio(program, cli);
  registerDoctor(program, cli);
  return program;
}

const rootExamples = `
Examples:
  $ signoff demo                                   watch two stand-ins argue until both sign
  $ signoff draft "eco-friendly water bottles"     write a slogan and have it reviewed
  $ signoff runs list                              what ran, what waits, what can be resumed

Exit codes: 0 accepted, 1 not accepted, 2 usage, 3 waits for somebody, 4 budget, 5 something outside
failed, 70 a bug of ours, 130 interrupted (resumable).`;

function paletteFor(environment: Environment | undefined, isTerminal: boolean) {
  return decidePalette({
    isTerminal,
    ...(environment?.noColor === undefined ? {} : { noColor: environment.noColor }),
    ...(environment?.forceColor === undefined ? {} : { forceColor: environment.forceColor }),
    ...(environment?.term === undefined ? {} : { term: environment.term }),
  });
}

function onInterrupt(listener: (time: number) => void): () => void {
  let time = 0;
  const heard = (): void => {
    time += 1;
    listener(time);
  };
  const signals = ["SIGINT", "SIGTERM"] as const;
  for (const signal of signals) process.on(signal, heard);
  return () => {
    for (const signal of signals) process.off(signal, heard);
  };
}
