import { type Command, Option } from "commander";
import type { CliContext } from "../shell/cli-context.ts";
import { collect, wholeNumberFlag } from "../shell/flag-values.ts";
import type { JsonFlags } from "../shell/print.ts";
import type { LoopFlags, PackCheckFlags, PackFlags, SaveFlags } from "./pack-actions.ts";

/** `signoff pack …`: ask a live assistant a pack of questions and judge it strictly. */
export function registerPack(program: Command, cli: CliContext): void {
  const pack = program
    .command("pack")
    .description("ask a live assistant a pack of questions and judge the answers strictly")
    .addHelpText("after", examples);
  withManifest(pack.command("check"))
    .description("are the questions worth a live run? asks nobody")
    .option("--output-dir <folder>", "where the review goes")
    .option("--json", "print one JSON document")
    .action(async (flags: PackCheckFlags) => (await actions()).checkPack(cli, flags));
  runOptions(withManifest(pack.command("run")))
    .description("play all scenarios, each in its own session, and judge every answer")
    .option("--repeat <n>", "play each scenario n times; the worst counts", wholeNumberFlag, 1)
    .option("--max-questions <n>", "most that the assistant may be asked, in all", wholeNumberFlag)
    .option("--skip-question-review", "ask even if the questions are weak")
    .action(async (flags: PackFlags) => (await actions()).runPack(cli, flags));
  registerLoop(pack, cli);
  withManifest(pack.command("save"))
    .description("keep a pack in the library, if a run of it was accepted")
    .option("--validated-run-dir <folder>", "the accepted run that proves it")
    .option("--allow-unvalidated", "save a marked draft without proof")
    .option("--unvalidated-reason <text>", "why that is right")
    .option(
      "--publish <command...>",
      "then run this; it gets the file's path and, on stdin, the pack",
    )
    .option("--json", "print one JSON document")
    .action(async (flags: SaveFlags) => (await actions()).savePackCommand(cli, flags));
  pack
    .command("compare")
    .description("where two runs part, what follows from it, what got better and worse")
    .argument("<before>", "folder or run id")
    .argument("<after>", "folder or run id")
    .option("--json", "print one JSON document")
    .action(async (before: string, after: string, flags: JsonFlags) =>
      (await actions()).comparePacks(cli, [before, after], flags),
    );
}

function registerLoop(pack: Command, cli: CliContext): void {
  runOptions(withManifest(pack.command("loop")))
    .description("play the pack, have an analyst judge it, then accept it or hand the repair over")
    .option("--repeat <n>", "play each scenario n times; the worst counts", wholeNumberFlag, 1)
    .option("--max-questions <n>", "most that the assistant may be asked, in all", wholeNumberFlag)
    .option("--skip-question-review", "ask even if the questions are weak")
    .option("--analyst <model>", "who judges (default: models.analyst of the settings)")
    .option("--script <file>", "take the analyst's replies from a file")
    .option("--target-score <n>", "least score, 0 to 100", wholeNumberFlag, 80)
    .option(
      "--max-iterations <n>",
      "of the loop in this folder, all commands together",
      wholeNumberFlag,
      6,
    )
    .addOption(
      new Option("--repair-mode <mode>", "who repairs")
        .choices(["lead-handoff", "auto-coder"])
        .default("lead-handoff"),
    )
    .option(
      "--coder <command...>",
      "program and arguments of the coder (auto-coder only); one with a dash as --coder=-p",
    )
    .addOption(
      new Option("--decide <choice>", "answer the question that the loop waits for").choices([
        "continue",
        "stop",
      ]),
    )
    .option("--comment <text>", "a word with the decision")
    .option("--by <name>", "who decides (default: SIGNOFF_USER, git or the login name)")
    .action(async (flags: LoopFlags) => (await actions()).loopPack(cli, flags));
}

export function withManifest(command: Command): Command {
  return command
    .option("--manifest <file>", "the manifest, YAML or JSON")
    .option("--spec <file>", "the same under its other name");
}

/** Options of everything that asks an assistant. */
export function runOptions(command: Command): Command {
  return command
    .option("--assistant-url <url>", "the assistant under test (default: http://127.0.0.1:8787)")
    .option("--output-dir <folder>", "the run's own folder (default: artifacts/domain_runs/<id>)")
    .option(
      "--report <file>",
      "write a report: .md, .json, .xml (JUnit) or .html; may be given more than once",
      collect,
    )
    .option(
      "--budget <amounts>",
      "stop before exceeding it: 0.50usd, 20000tokens, 90s, or a list of them",
    )
    .option("--new", "set an unfinished run aside instead of going on with it")
    .option("--json", "print one JSON document")
    .option("-q, --quiet", "show the result only")
    .addOption(new Option("--run-id <uuid>").hideHelp());
}

const examples = `
Typing the same command again after a crash or Ctrl-C goes on where it was; nothing is asked twice.
After a finished run it is asked everything again, and the earlier run is kept beside it.

Examples:
  $ signoff demo assistant &
  $ signoff pack check --manifest examples/scenario-pack/pack.yaml
  $ signoff pack run --manifest examples/scenario-pack/pack.yaml --report report.html
  $ signoff pack loop --manifest examples/scenario-pack/pack.yaml --target-score 88`;

function actions() {
  return import("./pack-actions.ts");
}
