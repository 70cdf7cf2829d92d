import { type Command, Option } from "commander";
import type { CliContext } from "../shell/cli-context.ts";
import { atLeastOneFlag, textFlag } from "../shell/flag-values.ts";
import { registerRulings } from "./register-rulings.ts";
import { registerUpkeep } from "./register-upkeep.ts";
import type { CancelFlags, ResumeFlags, ShowFlags } from "./runs-actions.ts";
import type { ListFlags } from "./runs-list-action.ts";

/** `signoff runs …`: what ran, what it cost, what can go on. */
export function registerRuns(program: Command, cli: CliContext): void {
  const runs = program
    .command("runs")
    .description("what ran, how it ended, and what can be resumed")
    .addHelpText("after", examples);
  const states = ["queued", "running", "waiting", "finished", "stopped", "failed", "cancelled"];
  runs
    .command("list")
    .description("newest first")
    .option("-n, --limit <n>", "how many", atLeastOneFlag, 20)
    .addOption(new Option("--state <state>", "only these").choices(states))
    .option("--all", "also runs that are parts of others: scenarios of a pack, texts of an episode")
    .option("--json", "print one JSON document")
    .addHelpText("after", "\nExample:\n  $ signoff runs list --state waiting")
    .action(async (flags: ListFlags) =>
      (await import("./runs-list-action.ts")).listRunsCommand(cli, flags),
    );
  runs
    .command("show")
    .description("every turn of a run and how it ended; the parts of a run that has parts")
    .argument("<run>", "id, or as many of its first characters as are unique")
    .option("--why", "how the rule came to its decision")
    .option("--json", "print the session as one JSON document")
    .addHelpText("after", "\nExample:\n  $ signoff runs show 3fa85f64 --why")
    .action(async (run: string, flags: ShowFlags) => (await actions()).showRun(cli, run, flags));
  runs
    .command("resume")
    .description("go on with a run that was interrupted, stopped or failed; nothing is asked twice")
    .argument("<run>", "id, or as many of its first characters as are unique")
    .option("--accept-changes", "keep recorded replies although the prompts have changed since")
    .option("--budget <amounts>", "a new budget: 0.50usd, 20000tokens, 90s, or a list of them")
    .option("--json", "print the session as one JSON document")
    .option("-q, --quiet", "show the result only")
    .option("-v, --verbose", "show everything that is said")
    .addHelpText("after", "\nExample:\n  $ signoff runs resume 3fa85f64 --budget 1usd")
    .action(async (run: string, flags: ResumeFlags) =>
      (await actions()).resumeRun(cli, run, flags),
    );
  runs
    .command("cancel")
    .description("end a run for good")
    .argument("<run>", "id, or as many of its first characters as are unique")
    .option("--reason <text>", "why; kept with the run", textFlag, "cancelled by hand")
    .option("--json", "print one JSON document")
    .addHelpText("after", "\nExample:\n  $ signoff runs cancel 3fa85f64 --reason 'wrong brief'")
    .action(async (run: string, flags: CancelFlags) =>
      (await actions()).cancelRunCommand(cli, run, flags),
    );
  registerRulings(runs, cli);
  registerUpkeep(runs, cli);
}

const examples = `
Examples:
  $ signoff runs list
  $ signoff runs show 3fa85f64 --why
  $ signoff runs resume 3fa85f64 --budget 1usd`;

function actions() {
  return import("./runs-actions.ts");
}
