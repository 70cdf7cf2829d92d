import { type Command, Option } from "commander";
import type { CliContext } from "../shell/cli-context.ts";
import { textFlag, wholeNumberFlag } from "../shell/flag-values.ts";
import type {
  CloseFlags,
  CoderFlags,
  ContinueFlags,
  RepairFlags,
  StageFlags,
  StageIngestFlags,
  StageRunFlags,
} from "./stage-actions.ts";

/** `signoff stage …`: from plan to a person's confirmation, with no closing on an unproven repair. */
export function registerStage(program: Command, cli: CliContext): void {
  const stage = program
    .command("stage")
    .description("carry a development stage to its closing; an unproven repair keeps it open")
    .addHelpText("after", examples);
  command(stage, "plan")
    .description("what `run` would do, with calls and cost; asks nobody")
    .option("--assistant-url <url>", "the assistant under test")
    .action(async (flags: StageFlags) => (await actions()).planStageCommand(cli, flags));
  registerRun(stage, cli);
  command(stage, "review-questions")
    .description("are the questions worth a live run? asks nobody")
    .action(async (flags: StageFlags) => (await actions()).reviewStageQuestionsCommand(cli, flags));
  command(stage, "ingest-run")
    .alias("ingest-gui-run")
    .description("review a run made elsewhere and file it; after a patch it is the validation")
    .requiredOption("--run-id <id>", "the run, as its files name it")
    .option("--transcript <file>", "a pasted conversation instead of the run's files")
    .action(async (flags: StageIngestFlags) => (await actions()).ingestRunCommand(cli, flags));
  command(stage, "prepare-repair")
    .description("make a bounded repair of what the latest run found")
    .action(async (flags: StageFlags) => (await actions()).prepareRepairCommand(cli, flags));
  coderOptions(command(stage, "run-repair"))
    .description("run the coder on the prepared repair")
    .option("--dry-run", "write the exact command and start nothing")
    .action(async (words: readonly string[], flags: RepairFlags) =>
      (await actions()).runRepairCommand(cli, withWords(flags, words)),
    );
  command(stage, "status")
    .description("where the stage stands and what to type next; changes no byte")
    .action(async (flags: StageFlags) => (await actions()).showStage(cli, flags));
  coderOptions(command(stage, "continue"))
    .description("take exactly the one step that is next")
    .option("--execute-repair", "the step may run the coder")
    .option("--run-id <id>", "the run that validates the repair")
    .action(async (words: readonly string[], flags: ContinueFlags) =>
      (await actions()).continueStageCommand(cli, withWords(flags, words)),
    );
  command(stage, "summarize")
    .description("rebuild summary and hand-offs from what is on the disk")
    .action(async (flags: StageFlags) => (await actions()).summarizeStageCommand(cli, flags));
  command(stage, "close")
    .description("the final confirmation by a person, once the gate is open")
    .requiredOption("--confirmed-by <name>", "who looked and confirms", textFlag)
    .option("--reason <text>", "what was seen; kept with the confirmation")
    .action(async (flags: CloseFlags) => (await actions()).closeStageCommand(cli, flags));
}

function registerRun(stage: Command, cli: CliContext): void {
  command(stage, "run")
    .description("play the pack, have it judged, then accept it or hand the repair over")
    .option("--assistant-url <url>", "the assistant under test (default: http://127.0.0.1:8787)")
    .addOption(
      new Option("--repair-mode <mode>", "who repairs; auto-coder is an experiment").choices([
        "lead-handoff",
        "auto-coder",
      ]),
    )
    .option("--coder <command...>", "program and arguments of the coder (auto-coder only)")
    .option("--max-iterations <n>", "of one loop, all commands together", wholeNumberFlag)
    .option("--skip-question-review", "ask even if the questions are weak")
    .option("--new", "begin a new loop instead of the next iteration")
    .addOption(
      new Option("--decide <choice>", "answer the question that the stage waits for").choices([
        "continue",
        "stop",
      ]),
    )
    .option("--comment <text>", "a word with the decision")
    .option("-q, --quiet", "show the result only")
    .addOption(new Option("--engine-run-id <uuid>").hideHelp())
    .action(async (flags: StageRunFlags) => (await actions()).runStageCommand(cli, flags));
}

function command(stage: Command, name: string): Command {
  return stage
    .command(name)
    .requiredOption("--manifest <file>", "the stage's manifest, YAML or JSON")
    .option("--json", "print one JSON document");
}

function coderOptions(repair: Command): Command {
  return repair
    .argument("[words...]", "after --: the coder's words, also those that begin with -")
    .option("--coder <command...>", "codex, claude, or a program and its words")
    .option("--coder-seconds <n>", "longest time for the coder", wholeNumberFlag);
}

/** Words after `--` go on where `--coder` ended. */
function withWords<F extends CoderFlags>(flags: F, words: readonly string[]): F {
  return words.length === 0 ? flags : { ...flags, coder: [...(flags.coder ?? []), ...words] };
}

const examples = `
A repair counts only after a replay of the same pack, or an ingested run that asks its questions.

Examples:
  $ signoff stage plan --manifest examples/stage/stage.yaml
  $ signoff stage run --manifest examples/stage/stage.yaml
  $ signoff stage continue --manifest examples/stage/stage.yaml
  $ signoff stage run-repair --manifest examples/stage/stage.yaml -- node fix.mjs --fast
  $ signoff stage status --manifest examples/stage/stage.yaml`;

function actions() {
  return import("./stage-actions.ts");
}
