import type { Command } from "commander";
import type { CliContext } from "../shell/cli-context.ts";
import type { DoctorFlags } from "./doctor-action.ts";

/** `signoff doctor`: are files, rows and journal what they should be? */
export function registerDoctor(program: Command, cli: CliContext): void {
  program
    .command("doctor")
    .description("compare the project's files with its store, and say what is wrong")
    .option("--repair", "write records again from the store where they differ")
    .option("--json", "print one JSON document")
    .addHelpText("after", "\nExample:\n  $ signoff doctor --repair")
    .action(async (flags: DoctorFlags) => {
      const { runDoctor } = await import("./doctor-action.ts");
      await runDoctor(cli, flags);
    });
}
