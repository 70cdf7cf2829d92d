import { extname, resolve } from "node:path";
import { sessionToJson } from "../../contract/http/draft-session.ts";
import { type DraftSession, succeeded } from "../../domain/drafting/session.ts";
import { withFinalNewline } from "../../domain/values/final-newline.ts";
import { recordText } from "../../orchestration/drafting/draft-record.ts";
import { requireSavable, saveText } from "../../wiring/project/save-text.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { invalidFlag } from "../shell/flag-values.ts";
import { printErr } from "../shell/print.ts";
import { stripControl } from "../shell/strip-control.ts";
import { caution } from "../shell/styles.ts";

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
  const hint = "Use .md or .txt for the text, .json for the session, or - for the standard output.";
  throw invalidFlag(`--output ${output} has an unknown file extension.`, hint, facts);
}

/** The record is a page of markdown. */
export function checkRecord(cwd: string, record: string): void {
  if (extname(record).toLowerCase() === ".md") {
    requireSavable(resolve(cwd, record));
    return;
  }
  const hint =
    "The record is markdown: name a file that ends in .md. -o saves the session as .json.";
  const facts = { flag: "--record", value: record };
  throw invalidFlag(`--record ${record} has an unknown file extension.`, hint, facts);
}

export async function saveRecord(
  cli: CliContext,
  session: DraftSession,
  record: string,
): Promise<void> {
  await saveText(resolve(cli.cwd, record), recordText(session));
}

/**
 * The text if it was approved: a draft that was not must not take the place of one that was. A pipe gets it unchanged; for
 * a terminal control characters are removed. The session is saved however it ended.
 */
export async function saveSession(
  cli: CliContext,
  session: DraftSession,
  output: string,
): Promise<void> {
  const { finalText = "" } = session;
  const text = succeeded(session) ? withFinalNewline(finalText) : undefined;
  if (output === "-") {
    const { out } = cli.screen;
    if (text === undefined) return;
    out.write(out.isTerminal ? stripControl(text) : text);
    return;
  }
  const isJson = extname(output).toLowerCase() === ".json";
  const content = isJson ? `${JSON.stringify(sessionToJson(session), undefined, 2)}\n` : text;
  if (content !== undefined) return saveText(resolve(cli.cwd, output), content);
  printErr(cli, [caution(`${output} was not written, because the draft is not approved.`)]);
}
