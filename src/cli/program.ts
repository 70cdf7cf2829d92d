import { Command, CommanderError, Option } from "commander";
import { version } from "../domain/values/version.ts";
import { type Environment, readEnvironment } from "../wiring/settings/environment.ts";
import { logLevels } from "../wiring/settings/log-levels.ts";
import { registerDraft } from "./draft/register-draft.ts";
import { registerRecipes } from "./draft/register-recipes.ts";
import { registerEpisode } from "./episode/register-episode.ts";
import { registerNotes } from "./notes/register-notes.ts";
import { registerPack } from "./packs/register-pack.ts";
import { registerScenario } from "./packs/register-scenario.ts";
import { registerCompletion } from "./project/register-completion.ts";
import { registerConfig } from "./project/register-config.ts";
import { registerDemo } from "./project/register-demo.ts";
import { registerDoctor } from "./project/register-doctor.ts";
import { registerInit } from "./project/register-init.ts";
import { registerModels } from "./project/register-models.ts";
import { registerStore } from "./project/register-store.ts";
import { registerTrust } from "./project/register-trust.ts";
import { registerInbox } from "./runs/register-inbox.ts";
import { registerRuns } from "./runs/register-runs.ts";
import { AskedDocument } from "./shell/asked-document.ts";
import type { CliContext } from "./shell/cli-context.ts";
import { type ExitCode, exitCode, exitCodeOfError } from "./shell/exit-code.ts";
import { addHelpExamples } from "./shell/help-examples.ts";
import { decidePalette } from "./shell/palette.ts";
import { openScreen, printLines } from "./shell/screen.ts";
import { registerStage } from "./stages/register-stage.ts";
import { registerStudio } from "./studio/register-studio.ts";

/** Runs one command and returns the process's exit code; never throws. */
export async function runProgram(args: readonly string[]): Promise<number> {
  let lost: ExitCode | undefined;
  const screen = openScreen(process, (error) => {
    if (lost !== undefined) return;
    lost = exitCode.outside;
    // The last line may fail after everything else is over.
    process.exitCode = lost;
    printLines(screen.err, [`Error: The standard output cannot be written: ${error.message}.`]);
  });
  const asked = new AskedDocument(args, screen.out);
  const program = new Command("signoff");
  let ended: ExitCode = exitCode.accepted;
  const listening = asked.isAsked ? onInterrupt(() => void endEarly(asked)) : () => undefined;
  try {
    const environment = readEnvironment();
    const cli: CliContext = {
      screen: { ...screen, out: asked.sink },
      environment,
      cwd: process.cwd(),
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
        // First this one: between two listeners a signal would end the process as if nobody had ever listened.
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
  }
}

/**
 * The command tree; nothing heavy is loaded until a command runs. Where the first word typed is a command's, no other
 * is built.
 */
export function createProgram(program: Command, cli: CliContext, first?: string): Command {
  program
    .description(
      "Runs AI writing and AI review as loops that end only when both sides sign, and keeps the proof.",
    )
    .version(version, "-V, --version")
    .option("--debug", "show where an error comes from")
    .option("--trust", "let this project's settings run programs and send keys, this once")
    .addOption(
      new Option("--log-level <level>", "write what happens to a file, as JSON lines").choices([
        ...logLevels,
      ]),
    )
    .option("--log-file <file>", "where to, instead of .signoff/signoff.log")
    .option(
      "--metrics-file <file>",
      "write metrics of this command there, as Prometheus reads them",
    )
    .exitOverride()
    .showHelpAfterError("(add --help for usage)")
    .addHelpText("after", rootExamples);
  const only = commands.find(({ words }) => words.some((word) => word === first));
  for (const { register } of only === undefined ? commands : [only]) register(program, cli);
  addHelpExamples(program);
  return program;
}

/** In the order of the help, each with the first words that are its own. */
export const commands = [
  { words: ["init"], register: registerInit },
  { words: ["demo"], register: registerDemo },
  { words: ["draft"], register: registerDraft },
  { words: ["episode"], register: registerEpisode },
  { words: ["pack"], register: registerPack },
  { words: ["scenario", "case", "run"], register: registerScenario },
  { words: ["stage"], register: registerStage },
  { words: ["notes"], register: registerNotes },
  { words: ["runs"], register: registerRuns },
  { words: ["inbox"], register: registerInbox },
  { words: ["studio"], register: registerStudio },
  { words: ["doctor"], register: registerDoctor },
  { words: ["models"], register: registerModels },
  { words: ["config"], register: registerConfig },
  { words: ["recipes"], register: registerRecipes },
  { words: ["trust"], register: registerTrust },
  { words: ["store"], register: registerStore },
  // Describes them all.
  { words: [], register: registerCompletion },
] as const;

const rootExamples = `
Examples:
  $ signoff demo                                   watch two stand-ins argue until both sign
  $ signoff draft "eco-friendly water bottles"     write a slogan and have it reviewed
  $ signoff runs list                              what ran, what waits, what can be resumed

Exit codes: 0 accepted, 1 not accepted, 2 usage, 3 needs input, 4 budget, 5 something outside
failed, 70 a bug of ours, 130 interrupted (resumable).`;

function paletteFor(environment: Environment | undefined, isTerminal: boolean) {
  return decidePalette({
    isTerminal,
    ...(environment?.noColor === undefined ? {} : { noColor: environment.noColor }),
    ...(environment?.forceColor === undefined ? {} : { forceColor: environment.forceColor }),
    ...(environment?.term === undefined ? {} : { term: environment.term }),
  });
}

/** Before a command listens itself there is nothing to bring home, only a document that was asked for. */
async function endEarly(asked: AskedDocument): Promise<void> {
  const { WorkflowError } = await import("../domain/values/workflow-error.ts");
  await asked.answerWith(new WorkflowError("Interrupted.", { code: "interrupted" }));
  process.exit(exitCode.interrupted);
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
