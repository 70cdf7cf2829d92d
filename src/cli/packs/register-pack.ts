import { type Command, Option } from "commander";
import { PRESETS } from "../../domain/scenarios/assistant-formats.ts";
import { loopDefaults, repairModes } from "../../domain/scenarios/pack-loop.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { budgetHelp, byHelp } from "../shell/common-options.ts";
import { collect, wholeNumberFlag } from "../shell/flag-values.ts";
import type { JsonFlags } from "../shell/print.ts";
import type { LoopFlags, PackCheckFlags, PackFlags, SaveFlags } from "./pack-actions.ts";
import type { AssistantChangeFlags } from "./question-run.ts";
import type { TryFlags } from "./try-action.ts";

const actions = () => import("./pack-actions.ts");

/** `signoff pack …`: ask a live assistant a pack of questions and judge it strictly. */
export function registerPack(program: Command, cli: CliContext): void {
  const pack = program
    .command("pack")
    .description("ask a live assistant a pack of questions and judge the answers strictly")
    .addHelpText("after", examples);
  withManifest(pack.command("check"))
    .description("check offline whether the questions are worth a live run")
    .option("--output-dir <folder>", "where to write the review")
    .action(async (flags: PackCheckFlags) => (await actions()).checkPack(cli, flags));
  pack
    .command("try")
    .description("ask the assistant a question and show what was read from where; records nothing")
    .argument("<question...>", "asked one after the other in one conversation")
    .option("--assistant-url <url>", "http(s):, ws(s): or command:NAME")
    .option("--preset <name>", `a format many share: ${PRESETS.join(", ")}`)
    .option("--model <name>", "what {{model}} in the request stands for")
    .option("--stream", "ask for a stream")
    .action(async (questions: readonly string[], flags: TryFlags) =>
      (await import("./try-action.ts")).tryPack(cli, questions, flags),
    );
  choiceOptions(playOptions(runOptions(withManifest(pack.command("run")))))
    .description("run all scenarios, each in its own session, and judge every answer")
    .option("--replay-users", "simulated users ask what they asked last time")
    .action(async (flags: PackFlags) => (await actions()).runPackCommand(cli, flags));
  registerLoop(pack, cli);
  withManifest(pack.command("save"))
    .description("save a pack to the library if a run of it was accepted")
    .option("--validated-run-dir <folder>", "the accepted run that proves it")
    .option("--allow-unvalidated", "save a draft without proof, marked as such")
    .option("--unvalidated-reason <text>", "why that is acceptable")
    .option(
      "--publish <command...>",
      "then run this command with the file's path as its last argument and the pack on stdin",
    )
    .action(async (flags: SaveFlags) => (await actions()).savePackCommand(cli, flags));
  assistantChangeOptions(pack.command("compare"))
    .description("show where two runs first differ, what follows, and what got better or worse")
    .argument("<before>", "folder or run id")
    .argument("<after>", "folder or run id")
    .action(async (before: string, after: string, flags: JsonFlags & AssistantChangeFlags) =>
      (await actions()).comparePacks(cli, [before, after], flags),
    );
}

function registerLoop(pack: Command, cli: CliContext): void {
  assistantChangeOptions(choiceOptions(playOptions(runOptions(withManifest(pack.command("loop"))))))
    .description("run the pack, have an analyst judge it, then accept it or hand over the repair")
    .option("--analyst <model>", "model that judges (default: models.analyst)")
    .option("--script <file>", "read the analyst's replies from a file")
    .option(
      "--target-score <n>",
      "minimum score, 0 to 100",
      wholeNumberFlag,
      loopDefaults.targetScore,
    )
    .option(
      "--max-iterations <n>",
      "limit for the loop in this folder, across all commands",
      wholeNumberFlag,
      loopDefaults.maxIterations,
    )
    .addOption(
      new Option("--repair-mode <mode>", "who repairs")
        .choices(repairModes)
        .default("lead-handoff"),
    )
    .option(
      "--coder <command...>",
      "the coder's program and arguments (auto-coder only); write one with a dash as --coder=-p",
    )
    .addOption(decideOption())
    .option("--comment <text>", "a comment on the decision")
    .option("--by <name>", byHelp)
    .action(async (flags: LoopFlags) => (await actions()).loopPack(cli, flags));
}

export function decideOption(): Option {
  return new Option("--decide <choice>", "answer the loop's open question").choices([
    "continue",
    "stop",
  ]);
}

export function playOptions(command: Command): Command {
  return command
    .option("--repeat <n>", "run each scenario n times; the worst counts", wholeNumberFlag, 1)
    .option("--max-questions <n>", "maximum number of questions in all", wholeNumberFlag)
    .option("--skip-question-review", "ask even if the questions are weak");
}

export const userModelHelp = "model that plays simulated users (default: models.user)";

/** Which of the questions are asked, and how many at once. */
export function choiceOptions(command: Command): Command {
  return command
    .option("--scenario <id>", "ask only this scenario; can be repeated", collect)
    .option("--tag <name>", "ask only steps with this semantic tag; can be repeated", collect)
    .option("--failed", "ask only what failed last time, with what it depends on")
    .option("--concurrency <n>", "questions in flight at once (default: 4)", wholeNumberFlag)
    .option("--user-model <model>", userModelHelp);
}

/** For commands that hold a run against an earlier one. */
export function assistantChangeOptions(command: Command): Command {
  return command
    .option("--assistant-changed", "the earlier run asked it at another address or name")
    .option("--reason <text>", "why that is the same assistant");
}

export function withManifest(command: Command): Command {
  return command
    .option("--manifest <file>", "the manifest, YAML or JSON")
    .option("--spec <file>", "same as --manifest");
}

/** Options of every command that asks an assistant. */
export function runOptions(command: Command): Command {
  return command
    .option("--assistant-url <url>", "the assistant under test (default: http://127.0.0.1:8787)")
    .option("--output-dir <folder>", "folder for the run (default: artifacts/domain_runs/<id>)")
    .option(
      "--report <file>",
      "write a report: .md, .json, .xml (JUnit) or .html; can be repeated",
      collect,
    )
    .option("--budget <amounts>", budgetHelp)
    .option("--new", "archive an unfinished run instead of resuming it")
    .option("-q, --quiet", "print only the result")
    .addOption(new Option("--run-id <uuid>").hideHelp());
}

const examples = `
After a crash or Ctrl-C, run the same command again: it resumes, and no question is asked twice.
After a finished run the same command starts a new run; the earlier one is archived beside it.

Examples:
  $ signoff demo assistant &
  $ signoff pack check --manifest examples/scenario-pack/pack.yaml
  $ signoff pack run --manifest examples/scenario-pack/pack.yaml --report report.html
  $ signoff pack loop --manifest examples/scenario-pack/pack.yaml --target-score 88`;
