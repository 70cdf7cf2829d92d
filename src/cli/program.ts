import { randomUUID } from "node:crypto";
import { Command, CommanderError, Option } from "commander";
import { defined } from "../domain/values/defined.ts";
import { version } from "../domain/values/version.ts";
import { type Environment, readEnvironment } from "../wiring/settings/environment.ts";
import { logLevels } from "../wiring/settings/log-levels.ts";
import { registerDraft, registerReview } from "./draft/register-draft.ts";
import { registerRecipes } from "./draft/register-recipes.ts";
import { registerEpisode } from "./episode/register-episode.ts";
import { registerNotes } from "./notes/register-notes.ts";
import { registerPack } from "./packs/register-pack.ts";
import { registerScenario } from "./packs/register-scenario.ts";
import { registerDemo } from "./project/register-demo.ts";
import {
  registerCompletion,
  registerConfig,
  registerDoctor,
  registerInit,
  registerModels,
  registerStore,
  registerTrust,
  registerVerify,
} from "./project/register-project.ts";
import { registerInbox } from "./runs/register-inbox.ts";
import { registerRuns } from "./runs/register-runs.ts";
import { AskedDocument } from "./shell/asked-document.ts";
import type { CliContext } from "./shell/cli-context.ts";
import { addJsonOption } from "./shell/common-options.ts";
import { type ExitCode, exitCode, exitCodeOfError } from "./shell/exit-code.ts";
import { addHelpExamples } from "./shell/help-examples.ts";
import { decidePalette } from "./shell/palette.ts";
import { openScreen, printLines, silenceCommands, type TextStream } from "./shell/screen.ts";
import { explainUsageErrors } from "./shell/usage-error.ts";
import { registerStage } from "./stages/register-stage.ts";
import { registerStudio } from "./studio/register-studio.ts";
import { registerWorkers } from "./workers/register-workers.ts";

/** Where a command runs: the process itself, or its replacement in a test. */
export interface Host {
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  readonly env: NodeJS.ProcessEnv;
  cwd(): string;
  exitCode?: string | number | null | undefined;
}

/** Runs one command and returns the process's exit code; never throws. */
export async function runProgram(args: readonly string[], host: Host = process): Promise<number> {
  let lost: ExitCode | undefined;
  const screen = openScreen(
    host,
    (error) => {
      if (lost !== undefined) return;
      lost = exitCode.outside;
      // The last line may fail after everything else is over.
      host.exitCode = lost;
      printLines(screen.err, [`Error: The standard output cannot be written: ${error.message}.`]);
    },
    () => isWatched,
  );
  let isWatched = false;
  let speakAgain = (): void => undefined;
  const asked = new AskedDocument(args, screen.out);
  silencePackages();
  const program = new Command("signoff").configureOutput({
    writeOut: (text) => screen.out.write(text),
    writeErr: (text) => screen.err.write(text),
  });
  let ended: ExitCode = exitCode.accepted;
  const listening = asked.isAsked ? onInterrupt(() => void endEarly(asked)) : () => undefined;
  try {
    const environment = readEnvironment(host.env);
    isWatched = environment.commandReader !== undefined;
    if (environment.commandReader === "github") {
      speakAgain = silenceCommands(screen.err, randomUUID());
    }
    const cli: CliContext = {
      screen: { ...screen, out: asked.sink },
      environment,
      cwd: host.cwd(),
      debug: () => program.opts().debug === true,
      globals: () => program.opts(),
      layoutOf: (sink) => ({
        width: sink.columns(),
        palette: paletteFor(environment, sink.isTerminal),
      }),
      end: (code) => {
        ended = code;
      },
      onInterrupt: (listener) => {
        // Add this listener before the other is removed: a signal in between would end the process at once.
        const stop = onInterrupt(listener);
        listening();
        return stop;
      },
    };
    await createProgram(program, cli, args[0]).parseAsync(args, { from: "user" });
    return lost ?? ended;
  } catch (error) {
    await asked.answerWith(error);
    if (error instanceof CommanderError) return exitCodeOfError(error);
    const layout = {
      width: screen.err.columns(),
      palette: paletteFor(undefined, screen.err.isTerminal),
    };
    const debug = program.opts().debug === true;
    const { renderError } = await import("./shell/render-error.ts");
    printLines(screen.err, renderError(error, { ...layout, debug }));
    return exitCodeOfError(error);
  } finally {
    listening();
    speakAgain();
  }
}

/**
 * The command tree; nothing heavy is loaded until a command runs. If the first word names a command, only that one is
 * built.
 */
export function createProgram(program: Command, cli: CliContext, first?: string): Command {
  program
    .description(
      "Runs AI writing and AI review as loops that end only when both sides sign, and keeps the proof.",
    )
    .version(version, "-V, --version")
    .option("--debug", "show where an error comes from")
    .option(
      "--trust",
      "let this project's settings run programs and send keys, for this command only",
    )
    .addOption(
      new Option("--log-level <level>", "write a log file of JSON lines at this level").choices([
        ...logLevels,
      ]),
    )
    .option("--log-file <file>", "path of the log file (default: .signoff/signoff.log)")
    .option("--metrics-file <file>", "write this command's metrics here, in Prometheus format")
    .exitOverride()
    .addHelpText("after", rootExamples);
  const only = commands.find(({ words }) => words.some((word) => word === first));
  for (const { register } of only === undefined ? commands : [only]) register(program, cli);
  addJsonOption(program);
  addHelpExamples(program);
  explainUsageErrors(program);
  return program;
}

/** In the order of the help, each with its first words. */
export const commands = [
  { words: ["init"], register: registerInit },
  { words: ["demo"], register: registerDemo },
  { words: ["draft"], register: registerDraft },
  { words: ["review"], register: registerReview },
  { words: ["episode"], register: registerEpisode },
  { words: ["pack"], register: registerPack },
  { words: ["scenario", "case", "run"], register: registerScenario },
  { words: ["stage"], register: registerStage },
  { words: ["notes"], register: registerNotes },
  { words: ["runs"], register: registerRuns },
  { words: ["inbox"], register: registerInbox },
  { words: ["studio", "people"], register: registerStudio },
  { words: ["worker", "workers"], register: registerWorkers },
  { words: ["verify"], register: registerVerify },
  { words: ["doctor"], register: registerDoctor },
  { words: ["models"], register: registerModels },
  { words: ["config"], register: registerConfig },
  { words: ["recipes"], register: registerRecipes },
  { words: ["trust"], register: registerTrust },
  { words: ["store"], register: registerStore },
  // Describes all commands.
  { words: [], register: registerCompletion },
] as const;

const rootExamples = `
Examples:
  $ signoff demo                                   watch two stand-ins argue until both sign
  $ signoff draft "eco-friendly water bottles"     write a slogan and have it reviewed
  $ signoff runs list                              see what ran, what needs input, what can be resumed

Exit codes: 0 accepted, 1 not accepted, 2 usage error, 3 needs input, 4 budget reached,
5 external failure, 70 bug in signoff, 130 interrupted (resumable).`;

function paletteFor(environment: Environment | undefined, isTerminal: boolean) {
  const { noColor, forceColor, term } = environment ?? {};
  return decidePalette({ isTerminal, ...defined({ noColor, forceColor, term }) });
}

/** Only commands print; a package that reports by itself would put untrusted text on the terminal as it is. */
function silencePackages(): void {
  for (const name of ["log", "info", "warn", "error", "debug"] as const)
    console[name] = () => undefined;
}

/** Before a command has its own listener there is nothing to save, only the requested document to print. */
async function endEarly(asked: AskedDocument): Promise<void> {
  const { WorkflowError } = await import("../domain/values/workflow-error.ts");
  await asked.answerWith(new WorkflowError("Interrupted.", { code: "interrupted" }));
  process.exit(exitCode.interrupted);
}

function onInterrupt(listener: (time: number) => void): () => void {
  let time = 0;
  const onSignal = (): void => {
    time += 1;
    listener(time);
  };
  const signals = ["SIGINT", "SIGTERM"] as const;
  for (const signal of signals) process.on(signal, onSignal);
  return () => {
    for (const signal of signals) process.off(signal, onSignal);
  };
}
