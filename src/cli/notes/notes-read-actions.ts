import { renderCheckJUnit, renderGitHub, renderSarif } from "../../contract/gates/check-formats.ts";
import { checkToJson, historyToJson } from "../../contract/http/notes.ts";
import { visibleLine } from "../../domain/values/visible.ts";
import { checkNotes, type NotesCheck } from "../../orchestration/gates/check-notes.ts";
import { exportReviews } from "../../orchestration/gates/export-reviews.ts";
import { loadHistory } from "../../orchestration/gates/note-history.ts";
import { toolsOf } from "../../wiring/features/notes-reading.ts";
import { renderCount } from "../shell/amounts.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { exitCode } from "../shell/exit-code.ts";
import type { Line } from "../shell/lay-out.ts";
import { type JsonFlags, printErr, printJson, printOut, printResult } from "../shell/print.ts";
import { modelsOf, notesSession, pathInRoot, type ScopeFlags, scopeOf } from "./notes-context.ts";
import { readNotes } from "./with-notes.ts";

export interface NotesCheckFlags extends ScopeFlags {
  readonly format?: "text" | "json" | "junit" | "sarif" | "github";
}

export async function checkNotesCommand(
  cli: CliContext,
  paths: readonly string[],
  flags: NotesCheckFlags,
): Promise<void> {
  const session = await notesSession(cli, flags);
  const { root, loaded } = session;
  const { environment } = cli;
  const tools = await toolsOf({ root, environment, settings: loaded.settings });
  const models = modelsOf(cli, session, flags);
  const check = await checkNotes(tools, { ...scopeOf(cli, root, { paths, flags }), models });
  cli.end(check.passed ? exitCode.accepted : exitCode.notAccepted);
  const { out } = cli.screen;
  switch (flags.json === true ? "json" : (flags.format ?? "text")) {
    case "json":
      return printJson(cli, checkToJson(check));
    case "junit":
      return out.write(renderCheckJUnit(check));
    case "sarif":
      return printJson(cli, renderSarif(check));
    case "github":
      out.write(renderGitHub(check));
      return printErr(cli, [sumLine(check)]);
    case "text":
      return printOut(cli, checkLines(check));
  }
}

function checkLines(check: NotesCheck): readonly Line[] {
  const { findings } = check;
  return [
    ...findings
      .filter(({ suppressed }) => suppressed === undefined)
      .map(({ note, line, level, message }) => ({
        lead: [{ text: level.padEnd(8), style: styles[level] } as const],
        spans: [`${visibleLine(note)}${line === undefined ? "" : `:${line}`}: ${message}`],
      })),
    sumLine(check),
  ];
}

const styles = { error: "bad", warning: "caution", note: "muted" } as const;

function sumLine(check: NotesCheck): Line {
  const { passed, pairs, stale, failing, problems, findings } = check;
  const ruled = findings.filter(({ suppressed }) => suppressed !== undefined).length;
  const suppressed = ruled === 0 ? "" : ` ${renderCount(ruled, "finding")} suppressed by rulings.`;
  if (passed && pairs === 0) return { text: "Nothing to check was selected.", style: "good" };
  if (passed) {
    const text = `${renderCount(pairs, "pair")} fresh and passing, as attested by the lock.${suppressed}`;
    return { text, style: "good" };
  }
  const unread = problems.length === 0 ? "" : `, ${problems.length} unreadable`;
  const next =
    stale > 0
      ? "Review with `signoff notes review` and commit the lock."
      : "`signoff notes warns` is the work list.";
  const sum = `${renderCount(pairs, "pair")}: ${stale} stale, ${failing} failing${unread}.${suppressed}`;
  return { text: stale + failing > 0 ? `${sum} ${next}` : sum, style: "bad" };
}

export async function showHistory(cli: CliContext, note: string, flags: JsonFlags): Promise<void> {
  const session = await notesSession(cli, flags);
  const path = pathInRoot(cli, session.root, note);
  await readNotes(cli, session, async (tools) => {
    const entries = await loadHistory(tools, path);
    const lines = entries.map(
      ({ at, act, gate, model, decision, kind, run, noteBlob, reason, by }) => {
        const how = act === "review" ? `review of run ${run ?? "?"}` : (kind ?? act);
        const why = reason === undefined ? "" : `: ${reason}${by === undefined ? "" : ` (${by})`}`;
        const judge = model === "" ? "" : ` (${model})`;
        return `${at.slice(0, 19)}  ${decision.padEnd(7)} ${gate}${judge}  ${how}, note ${noteBlob.slice(0, 8)}${why}`;
      },
    );
    const shown = lines.length === 0 ? [`There are no reviews of ${visibleLine(path)}.`] : lines;
    printResult(cli, flags, historyToJson({ note: path, entries }), shown);
  });
}

export async function exportReviewsCommand(
  cli: CliContext,
  paths: readonly string[],
  flags: JsonFlags,
): Promise<void> {
  const session = await notesSession(cli, flags);
  const { root } = session;
  await readNotes(cli, session, async (tools) => {
    const named = paths.map((path) => pathInRoot(cli, root, path));
    const written = await exportReviews(tools, named);
    const text = `${written.length} reviews written below ${tools.settings.exports}/.`;
    printResult(cli, flags, { written: [...written] }, text);
  });
}
