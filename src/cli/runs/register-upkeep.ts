import { type Command, Option } from "commander";
import type { CliContext } from "../shell/cli-context.ts";
import type { JsonFlags } from "../shell/print.ts";
import type { ExportFlags, PruneFlags, StatsFlags } from "./runs-upkeep-actions.ts";

/** `signoff runs export | stats | prune | delete`. */
export function registerUpkeep(runs: Command, cli: CliContext): void {
  runs
    .command("export")
    .description("a whole run for other programs: session, every call with its cost, rulings")
    .argument("<run>", "id, or as many of its first characters as are unique")
    .addOption(
      new Option("--format <form>", "json, the story as text, or turns as a table")
        .choices(["json", "md", "csv"])
        .default("json"),
    )
    .option("-o, --output <file>", "write it there instead of standard output")
    .option("--json", "the same as --format json")
    .addHelpText("after", "\nExample:\n  $ signoff runs export 3fa85f64 --format csv -o turns.csv")
    .action(async (run: string, flags: ExportFlags) =>
      (await actions()).exportRunCommand(cli, run, flags),
    );
  runs
    .command("stats")
    .description("approval rate, turns, time and cost per recipe and model")
    .option("--since <age>", "only runs younger than this: 24h, 30d, 8w")
    .option("--json", "print one JSON document")
    .addHelpText("after", "\nExample:\n  $ signoff runs stats --since 30d")
    .action(async (flags: StatsFlags) => (await actions()).showStats(cli, flags));
  runs
    .command("prune")
    .description("remove old runs; what people decided stays")
    .requiredOption("--older-than <age>", "runs that ended before: 24h, 90d, 8w")
    .option("--keep-accepted", "leave runs whose text was approved")
    .option("--dry-run", "only say which")
    .option("--json", "print one JSON document")
    .addHelpText("after", "\nExample:\n  $ signoff runs prune --older-than 90d --keep-accepted")
    .action(async (flags: PruneFlags) => (await actions()).prune(cli, flags));
  runs
    .command("delete")
    .description("remove one run that has ended; what people decided stays")
    .argument("<run>", "id, or as many of its first characters as are unique")
    .option("--json", "print one JSON document")
    .addHelpText("after", "\nExample:\n  $ signoff runs delete 3fa85f64")
    .action(async (run: string, flags: JsonFlags) => (await actions()).deleteRun(cli, run, flags));
}

function actions() {
  return import("./runs-upkeep-actions.ts");
}
