import { extname, resolve } from "node:path";
import { sessionToJson } from "../../contract/http/draft-session.ts";
import type { DraftSession } from "../../domain/drafting/session.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import { requireSavable, saveText } from "../../wiring/project/save-text.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { stripControl } from "../shell/strip-control.ts";
import { renderSessionText } from "./session-text.ts";

const known = [".json", ".txt", ".md"];

/** Refused before anything is asked: an ending that says nothing about the form, a place that takes no file. */
export function checkOutput(cwd: string, output: string, json: boolean): void {
  if (output === "-" && json) {
    throw new ConfigurationError("--output - and --json both want the standard output.", {
      code: "flag-invalid",
      facts: { flag: "--output", value: output },
      hint: "Leave one of them out, or name a file.",
    });
  }
  if (output === "-") return;
  if (known.includes(extname(output).toLowerCase())) {
    requireSavable(resolve(cwd, output));
    return;
  }
  throw new ConfigurationError(
    `--output ${output} has an ending that says nothing about the form.`,
    {
      code: "flag-invalid",
      facts: { flag: "--output", value: output },
      hint: "Use .json for the session, .txt or .md for the story, or - for the bare text.",
    },
  );
}

/** A pipe gets the text as it is; a terminal only what it can show. */
export async function saveSession(
  cli: CliContext,
  session: DraftSession,
  output: string,
): Promise<void> {
  if (output === "-") {
    const { out } = cli.screen;
    if (session.finalText === undefined) return;
    out.write(`${out.isTerminal ? stripControl(session.finalText) : session.finalText}\n`);
    return;
  }
  const isJson = extname(output).toLowerCase() === ".json";
  const content = isJson
    ? JSON.stringify(sessionToJson(session), undefined, 2)
    : renderSessionText(session).join("\n");
  await saveText(resolve(cli.cwd, output), `${content}\n`);
}
