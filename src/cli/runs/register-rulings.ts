import type { Command } from "commander";
import type { CliContext } from "../shell/cli-context.ts";
import { textFlag, wholeNumberFlag } from "../shell/flag-values.ts";
import type { ApproveFlags, ChangesFlags, EditFlags } from "./rulings-actions.ts";

/** `signoff runs approve | request-changes | edit`: what a person does about an ended loop. */
export function registerRulings(runs: Command, cli: CliContext): void {
  const ruling = (name: string, description: string): Command =>
    runs
      .command(name)
      .description(description)
      .argument("<run>", "id, or as many of its first characters as are unique")
      .option("--by <name>", "who you are; else SIGNOFF_USER, git's user, the login", textFlag)
      .option("--json", "print one JSON document");
  ruling("approve", "select a candidate yourself; the loop's own decision stays as it is")
    .requiredOption("--reason <text>", "why; kept with the run", textFlag)
    .option("--turn <n>", "which turn's text; default: the best", wholeNumberFlag)
    .addHelpText(
      "after",
      "\nExample:\n  $ signoff runs approve 3fa85f64 --turn 2 --reason 'the client likes it'",
    )
    .action(async (run: string, flags: ApproveFlags) => (await actions()).approve(cli, run, flags));
  ruling("request-changes", "start the next turns with your comment as an objection")
    .requiredOption("--comment <text>", "what has to change", textFlag)
    .option("-q, --quiet", "show the result only")
    .option("-v, --verbose", "show everything that is said")
    .addHelpText(
      "after",
      "\nExample:\n  $ signoff runs request-changes 3fa85f64 --comment 'name the material'",
    )
    .action(async (run: string, flags: ChangesFlags) =>
      (await actions()).requestChangesTo(cli, run, flags),
    );
  ruling("edit", "hand in a text of your own; it is checked and reviewed like any other")
    .requiredOption("--text <text>", "the text", textFlag)
    .option("--reason <text>", "why; kept with the run", textFlag)
    .option("-q, --quiet", "show the result only")
    .option("-v, --verbose", "show everything that is said")
    .addHelpText(
      "after",
      "\nExample:\n  $ signoff runs edit 3fa85f64 --text 'Refill. Roam. Repeat.'",
    )
    .action(async (run: string, flags: EditFlags) => (await actions()).edit(cli, run, flags));
}

function actions() {
  return import("./rulings-actions.ts");
}
