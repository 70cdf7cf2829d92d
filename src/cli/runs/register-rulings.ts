import type { Command } from "commander";
import type { CliContext } from "../shell/cli-context.ts";
import { byHelp, runHelp, whyHelp, withProgress } from "../shell/common-options.ts";
import { textFlag, wholeNumberFlag } from "../shell/flag-values.ts";
import type { ApproveFlags, ChangesFlags, EditFlags } from "./rulings-actions.ts";

const actions = () => import("./rulings-actions.ts");

/** `signoff runs approve | request-changes | edit`: what a person does about an ended loop. */
export function registerRulings(runs: Command, cli: CliContext): void {
  const ruling = (name: string, description: string): Command =>
    runs
      .command(name)
      .description(description)
      .argument("<run>", runHelp)
      .option("--by <name>", byHelp, textFlag);
  ruling("approve", "select a candidate yourself; the loop's own decision does not change")
    .option("--reason <text>", whyHelp)
    .option("--turn <n>", "use the text of this turn (default: the best)", wholeNumberFlag)
    .action(async (run: string, flags: ApproveFlags) => (await actions()).approve(cli, run, flags));
  withProgress(ruling("request-changes", "start another round with your comment as an objection"))
    .option("--comment <text>", "what has to change; asked for at a terminal if it is left out")
    .action(async (run: string, flags: ChangesFlags) =>
      (await actions()).requestChangesTo(cli, run, flags),
    );
  withProgress(
    ruling("edit", "submit a text of your own; it is checked and reviewed like any other"),
  )
    .option("--text <text>", "the text; asked for at a terminal if it is left out")
    .option("--file <file>", "read the text from a file, - for standard input")
    .option("--reason <text>", "why; kept with the run", textFlag)
    .action(async (run: string, flags: EditFlags) => (await actions()).edit(cli, run, flags));
}
