import type { Command } from "commander";
import type { CliContext } from "../shell/cli-context.ts";
import { byHelp, withProgress } from "../shell/common-options.ts";
import type { JsonFlags } from "../shell/print.ts";
import type { AnswerFlags } from "./inbox-actions.ts";

const actions = () => import("./inbox-actions.ts");

/** `signoff inbox`: what needs a person's input. */
export function registerInbox(program: Command, cli: CliContext): void {
  const inbox = program
    .command("inbox")
    .description("show what needs your input, oldest first")
    .addHelpText("after", examples);
  inbox
    .command("list", { isDefault: true })
    .description("list it; same as `signoff inbox`")
    .action(async (flags: JsonFlags) => (await actions()).showInbox(cli, flags));
  const answer = inbox
    .command("answer")
    .description("answer an open question; the waiting run resumes")
    .argument("<question>", "question id, as shown by `inbox`")
    .option("--choice <choice>", "one of the choices listed with the question")
    .option("--comment <text>", "a comment on the answer")
    .option("--text-file <file>", "the answer of an external agent; - reads stdin")
    .option("--by <name>", byHelp)
    .option("--json", "print the session as one JSON document");
  withProgress(answer)
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
