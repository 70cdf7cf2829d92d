import { extname, resolve } from "node:path";
import { sessionToJson } from "../../contract/http/draft-session.ts";
import type { DraftSession } from "../../domain/drafting/session.ts";
import { requireSavable, saveText } from "../../wiring/project/save-text.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { invalidFlag } from "../shell/flag-values.ts";
import { stripControl } from "../shell/strip-control.ts";
import { renderSessionText } from "./session-text.ts";

const known = [".json", ".txt", ".md"];

/** Checked before any call: the extension selects the format, and the file must be writable. */
export function checkOutput(cwd: string, output: string, json: boolean): void {
  const facts = { flag: "--output", value: output };
  if (output === "-" && json) {
    const hint = "Leave one of them out, or name a file.";
    throw invalidFlag("--output - and --json both need the standard output.", hint, facts);
  }
  if (output === "-") return;
  if (known.includes(extname(output).toLowerCase())) {
    requireSavable(resolve(cwd, output));
    return;
  }
  const hint = "Use .json for the session, .txt or .md for the story, or - for the bare text.";
  throw invalidFlag(`--output ${output} has an unknown file extension.`, hint, facts);
}

/** A pipe gets the text unchanged; for a terminal control characters are removed. */
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
