import { type Command, Option } from "commander";
import { repairModes } from "../../domain/scenarios/pack-loop.ts";
import { choiceOptions, decideOption, playOptions } from "../packs/register-pack.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { budgetHelp, whyHelp } from "../shell/common-options.ts";
import { collect, textFlag, wholeNumberFlag } from "../shell/flag-values.ts";
import type { StageIngestFlags } from "./ingest-action.ts";
import type {
  CloseFlags,
  CoderFlags,
  ContinueFlags,
  RepairFlags,
  StageFlags,
  StageRunFlags,
} from "./stage-actions.ts";
import type { ReopenFlags, RuleFlags } from "./stage-rulings.ts";

const actions = () => import("./stage-actions.ts");
const rulings = () => import("./stage-rulings.ts");

/** `signoff stage …`: from plan to a person's confirmation; an unproven repair keeps a stage open. */
export function registerStage(program: Command, cli: CliContext): void {
  const stage = program
    .command("stage")
    .description("take a development stage from plan to closing; an unproven repair keeps it open")
    .addHelpText("after", examples);
  command(stage, "plan")
    .description("show offline what `run` would do, with calls and cost")
    .option("--assistant-url <url>", "the assistant under test")
    .action(async (flags: StageFlags) => (await actions()).planStageCommand(cli, flags));
  registerRun(stage, cli);
  command(stage, "review-questions")
    .description("check offline whether the questions are worth a live run")
    .action(async (flags: StageFlags) => (await actions()).reviewStageQuestionsCommand(cli, flags));
  command(stage, "ingest-run")
    .alias("ingest-gui-run")
    .description("review and file a run from another tool; after a patch it is the validation")
    .option(
      "--run-id <id>",
      "run id, as in its file names (asked for at a terminal if it is left out)",
    )
    .option("--transcript <file>", "a pasted conversation instead of the run's files")
    .option("--held-at <time>", "when it was held, if its own record does not say", textFlag)
    .option("--by <name>", "who brings it in", textFlag)
    .action(async (flags: StageIngestFlags) =>
      (await import("./ingest-action.ts")).ingestRunCommand(cli, flags),
    );
  command(stage, "prepare-repair")
    .description("prepare a bounded repair of what the latest run found")
    .action(async (flags: StageFlags) => (await actions()).prepareRepairCommand(cli, flags));
  coderOptions(command(stage, "run-repair"))
    .description("run the coder on the prepared repair")
    .option("--dry-run", "write the exact command and start nothing")
    .action(async (words: readonly string[], flags: RepairFlags) =>
      (await actions()).runRepairCommand(cli, withWords(flags, words)),
    );
  command(stage, "status")
    .description("show the state of the stage and what to type next; changes nothing")
    .action(async (flags: StageFlags) => (await actions()).showStage(cli, flags));
  coderOptions(command(stage, "continue"))
    .description("take exactly the next step")
    .option("--execute-repair", "allow the step to run the coder")
    .option("--run-id <id>", "the run that validates the repair")
    .action(async (words: readonly string[], flags: ContinueFlags) =>
      (await actions()).continueStageCommand(cli, withWords(flags, words)),
    );
  command(stage, "summarize")
    .description("rewrite the summary and hand-offs from the record")
    .action(async (flags: StageFlags) => (await actions()).summarizeStageCommand(cli, flags));
  command(stage, "close")
    .description("confirm the stage as a person, once the gate is open")
    .option(
      "--confirmed-by <name>",
      "who checked it and confirms (asked for at a terminal if it is left out)",
      textFlag,
    )
    .option("--reason <text>", "what was checked; kept with the confirmation")
    .action(async (flags: CloseFlags) => (await actions()).closeStageCommand(cli, flags));
  registerRulings(stage, cli);
}

function registerRulings(stage: Command, cli: CliContext): void {
  command(stage, "reopen")
    .description("reopen a closed stage")
    .option("--reason <text>", whyHelp, textFlag)
    .option("--by <name>", "who reopens it", textFlag)
    .action(async (flags: ReopenFlags) => (await rulings()).reopenStageCommand(cli, flags));
  command(stage, "rule")
    .description("settle a finding, or vouch for what a coder left behind")
    .option("--finding <id>", "an open finding, as `status` names it", textFlag)
    .option("--repair <id>", "a repair that was tampered with or not observed", textFlag)
    .option("--reason <text>", whyHelp, textFlag)
    .option("--by <name>", "who rules", textFlag)
    .action(async (flags: RuleFlags) => (await rulings()).ruleOnStageCommand(cli, flags));
}

function registerRun(stage: Command, cli: CliContext): void {
  choiceOptions(playOptions(command(stage, "run")))
    .description("run the pack, have it judged, then accept it or hand over the repair")
    .option("--assistant-url <url>", "the assistant under test (default: http://127.0.0.1:8787)")
    .addOption(
      new Option("--repair-mode <mode>", "who repairs; auto-coder is experimental").choices(
        repairModes,
      ),
    )
    .option("--coder <command...>", "the coder's program and arguments (auto-coder only)")
    .option("--max-iterations <n>", "limit for one loop, across all commands", wholeNumberFlag)
    .option("--budget <amounts>", budgetHelp)
    .option(
      "--report <file>",
      "write a report: .md, .json, .xml (JUnit) or .html; can be repeated",
      collect,
    )
    .option("--new", "start a new loop instead of the next iteration")
    .addOption(decideOption())
    .option("--comment <text>", "a comment on the decision, for analyst, coder and hand-off")
    .option(
      "--assistant-changed",
      "the assistant has another address, or signoff.yaml asks or reads it in another way",
    )
    .option("--reason <text>", whyHelp)
    .option("--by <name>", "who decides", textFlag)
    .option("-q, --quiet", "print only the result")
    .addOption(new Option("--engine-run-id <uuid>").hideHelp())
    .action(async (flags: StageRunFlags) => (await actions()).runStageCommand(cli, flags));
}

function command(stage: Command, name: string): Command {
  return stage
    .command(name)
    .requiredOption("--manifest <file>", "the stage's manifest, YAML or JSON");
}

function coderOptions(repair: Command): Command {
  return repair
    .argument("[words...]", "after --: the coder's arguments, including those that start with -")
    .option("--coder <command...>", "codex, claude, or a program and its arguments")
    .option("--coder-seconds <n>", "time limit for the coder", wholeNumberFlag);
}

/** Words after `--` continue the words of `--coder`. */
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
