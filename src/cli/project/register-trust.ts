import type { Command } from "commander";
import type { CliContext } from "../shell/cli-context.ts";
import type { TrustFlags } from "./trust-action.ts";

/** `signoff trust`: lets a project's settings run programs and send keys. */
export function registerTrust(program: Command, cli: CliContext): void {
  program
    .command("trust")
    .description("see which programs and keys this project's settings would use, and say yes")
    .option(
      "--manifest <file>",
      "the coder that this stage manifest names, instead of the settings",
    )
    .option("-y, --yes", "say yes without being asked")
    .option("--json", "print one JSON document")
    .addHelpText("after", examples)
    .action(async (flags: TrustFlags) => {
      const { manifest } = flags;
      if (manifest !== undefined) {
        const { trustCoder } = await import("./trust-coder-action.ts");
        return trustCoder(cli, { ...flags, manifest });
      }
      const { trustProject } = await import("./trust-action.ts");
      return trustProject(cli, flags);
    });
}

const examples = `
The yes is kept in your own configuration folder, holds for this folder alone, and ends with any change of what it
was given for. In CI give --trust, or SIGNOFF_TRUST=<digest>.

Examples:
  $ signoff trust
  $ signoff trust --yes
  $ signoff trust --manifest examples/stage/stage.yaml`;
