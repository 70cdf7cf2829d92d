import type { Command } from "commander";
import type { CliContext } from "../shell/cli-context.ts";
import type { JsonFlags } from "../shell/print.ts";

/** `signoff store …`: the file that keeps everything. */
export function registerStore(program: Command, cli: CliContext): void {
  const store = program
    .command("store")
    .description("the file that keeps every reply, event and decision")
    .addHelpText("after", "\nExample:\n  $ signoff store size");
  store
    .command("size")
    .description("how large it is, and what is in it")
    .option("--json", "print one JSON document")
    .addHelpText("after", "\nExample:\n  $ signoff store size --json")
    .action(async (flags: JsonFlags) => {
      const { showSize } = await import("./store-action.ts");
      await showSize(cli, flags);
    });
}
