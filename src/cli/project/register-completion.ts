import { Argument, type Command } from "commander";
import type { CliContext } from "../shell/cli-context.ts";

const shells = ["bash", "zsh", "fish"] as const;

/** `signoff completion`: lets the shell finish words. */
export function registerCompletion(program: Command, cli: CliContext): void {
  program
    .command("completion")
    .description("print a script that lets your shell complete commands and options")
    .addArgument(new Argument("<shell>", "which shell").choices(shells))
    .option("--json", "print one JSON document")
    .addHelpText("after", examples)
    .action(async (shell: (typeof shells)[number], flags: { readonly json?: boolean }) => {
      const { describeCommands } = await import("../shell/command-tree.ts");
      const { renderCompletion } = await import("./render-completion.ts");
      const script = renderCompletion(shell, describeCommands(program));
      const json = flags.json === true;
      cli.screen.out.write(json ? `${JSON.stringify({ shell, script }, undefined, 2)}\n` : script);
    });
}

const examples = `
Examples:
  $ signoff completion bash >> ~/.bashrc
  $ signoff completion zsh > "\${fpath[1]}/_signoff"
  $ signoff completion fish > ~/.config/fish/completions/signoff.fish`;
