import type { Command } from "commander";
import type { CliContext } from "../shell/cli-context.ts";
import type { JsonFlags } from "../shell/print.ts";
import type { AnswerFlags } from "./inbox-actions.ts";

/** `signoff inbox`: what waits for a person. */
export function registerInbox(program: Command, cli: CliContext): void {
  const inbox = program
    .command("inbox")
    .description("what waits for a person, oldest first")
    .addHelpText("after", examples);
  inbox
    .command("list", { isDefault: true })
    .description("show it; what `signoff inbox` alone does")
    .option("--json", "print one JSON document")
    .addHelpText("after", "\nExample:\n  $ signoff inbox list --json")
    .action(async (flags: JsonFlags) => (await actions()).showInbox(cli, flags));
  inbox
    .command("answer")
    .description("answer an open question; the run that waits for it goes on")
    .argument("<question>", "id of the question, as the inbox shows it")
    .option("--choice <choice>", "one of the choices the question names")
    .option("--comment <text>", "a remark that goes with it")
    .option(
      "--text-file <file>",
      "the answer's text, for an agent that works outside; - reads stdin",
    )
    .option("--by <name>", "who you are; else SIGNOFF_USER, git's user, the login")
    .option("--json", "print the session as one JSON document")
    .option("-q, --quiet", "show the result only")
    .option("-v, --verbose", "show everything that is said")
    .addHelpText("after", examples)
    .action(async (question: string, flags: AnswerFlags) =>
      (await actions()).answerCommand(cli, question, flags),
    );
}

const examples = `
Examples:
  $ signoff inbox
  $ signoff inbox answer '<question>' --choice continue --comment "shorter, please"
  $ signoff inbox answer '<question>' --text-file reply.md`;

function actions() {
  return import("./inbox-actions.ts");
}
