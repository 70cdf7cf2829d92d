import { type Command, Option } from "commander";
import type { CliContext } from "../shell/cli-context.ts";
import { budgetHelp, runHelp, withProgress } from "../shell/common-options.ts";
import { atLeastOneFlag, textFlag } from "../shell/flag-values.ts";
import { registerRulings } from "./register-rulings.ts";
import { registerUpkeep } from "./register-upkeep.ts";
import type { CancelFlags, ResumeFlags, ShowFlags } from "./runs-actions.ts";
import type { ListFlags } from "./runs-list-action.ts";

const actions = () => import("./runs-actions.ts");

/** `signoff runs …`: what ran, what it cost, what can be resumed. */
export function registerRuns(program: Command, cli: CliContext): void {
  const runs = program
    .command("runs")
    .description("list, inspect, resume and clean up runs")
    .addHelpText("after", examples);
  const states = ["queued", "running", "waiting", "finished", "stopped", "failed", "cancelled"];
  runs
    .command("list")
    .description("list runs, newest first")
    .option("-n, --limit <n>", "maximum number of runs", atLeastOneFlag, 20)
    .addOption(new Option("--state <state>", "only runs in this state").choices(states))
    .option("--all", "include parts of other runs: scenarios of a pack, texts of an episode")
    .action(async (flags: ListFlags) =>
      (await import("./runs-list-action.ts")).listRunsCommand(cli, flags),
    );
  runs
    .command("show")
    .description("show every turn of a run and how it ended, or the parts of a composite run")
    .argument("<run>", runHelp)
    .option("--why", "explain how the decision was made")
    .option("--json", "print the session as one JSON document")
    .action(async (run: string, flags: ShowFlags) => (await actions()).showRun(cli, run, flags));
  const resume = runs
    .command("resume")
    .description("resume an interrupted, stopped or failed run; no model is asked twice")
    .argument("<run>", runHelp)
    .option("--accept-changes", "keep recorded replies even if the prompts have changed since")
    .option("--budget <amounts>", `a new budget; ${budgetHelp}`)
    .option("--timeout <seconds>", "a new longest time without a token, 1 to 600")
    .option("--total-timeout <seconds>", "a new longest time for one reply, 1 to 3600")
    .option("--retries <n>", "attempts per call, including the first, 1 to 20")
    .option("--base-url <url>", "another address of Ollama")
    .option("--json", "print the session as one JSON document");
  withProgress(resume).action(async (run: string, flags: ResumeFlags) =>
    (await actions()).resumeRun(cli, run, flags),
  );
  runs
    .command("cancel")
    .description("end a run for good")
    .argument("<run>", runHelp)
    .option("--reason <text>", "why; kept with the run", textFlag, "cancelled by hand")
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
