import { type Command, Option } from "commander";
import type { CliContext } from "../shell/cli-context.ts";
import { runHelp } from "../shell/common-options.ts";
import type { JsonFlags } from "../shell/print.ts";
import type { ExportFlags, PruneFlags, StatsFlags } from "./runs-upkeep-actions.ts";

const actions = () => import("./runs-upkeep-actions.ts");

/** `signoff runs export | stats | prune | delete`. */
export function registerUpkeep(runs: Command, cli: CliContext): void {
  runs
    .command("export")
    .description("export a whole run: session, every call with its cost, rulings")
    .argument("<run>", runHelp)
    .addOption(
      new Option("--format <form>", "json, a transcript as Markdown, or the turns as a table")
        .choices(["json", "md", "csv"])
        .default("json"),
    )
    .option("-o, --output <file>", "write to this file instead of standard output")
    .option("--json", "same as --format json")
    .action(async (run: string, flags: ExportFlags) =>
      (await actions()).exportRunCommand(cli, run, flags),
    );
  runs
    .command("stats")
    .description("show approval rate, turns, time and cost per recipe and model")
    .option("--since <age>", "only runs younger than this: 24h, 30d, 8w")
    .action(async (flags: StatsFlags) => (await actions()).showStats(cli, flags));
  runs
    .command("prune")
    .description("remove old runs; people's decisions are kept")
    .requiredOption("--older-than <age>", "runs that ended longer ago than this: 24h, 90d, 8w")
    .option("--keep-accepted", "keep runs whose text was approved")
    .option("--dry-run", "list them and remove nothing")
    .action(async (flags: PruneFlags) => (await actions()).prune(cli, flags));
  runs
    .command("delete")
    .description("remove one ended run; people's decisions are kept")
    .argument("<run>", runHelp)
    .action(async (run: string, flags: JsonFlags) => (await actions()).deleteRun(cli, run, flags));
}
