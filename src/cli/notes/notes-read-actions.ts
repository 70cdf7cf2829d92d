import type { CiFormat } from "../../contract/gates/ci-format-names.ts";
import { renderCi } from "../../contract/gates/ci-formats.ts";
import { checkToJson, historyToJson } from "../../contract/http/notes.ts";
import { defined } from "../../domain/values/defined.ts";
import { quotedPath } from "../../orchestration/gates/check-findings.ts";
import { checkLock, type NotesCheck } from "../../orchestration/gates/check-notes.ts";
import { exportReviews } from "../../orchestration/gates/export-reviews.ts";
import { loadHistory } from "../../orchestration/gates/note-history.ts";
import { toolsOf } from "../../wiring/features/notes-reading.ts";
import { renderCount } from "../shell/amounts.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { exitCode } from "../shell/exit-code.ts";
import type { Line } from "../shell/lay-out.ts";
import { type JsonFlags, printJson, printOut, printResult } from "../shell/print.ts";
import { clipped } from "../shell/row.ts";
import { pathsFor, type ShowPath } from "../shell/show-path.ts";
import { muted } from "../shell/styles.ts";
import { modelsOf, notesSession, pathInRoot, type ScopeFlags, scopeOf } from "./notes-context.ts";
import { readNotes } from "./read-notes.ts";

export interface NotesCheckFlags extends ScopeFlags {
  readonly format?: CiFormat | "text" | "json";
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
  const showPath = pathsFor(cli, root);
  const check = await readNotes(cli, session, ({ store: record }) =>
    checkLock(tools, {
      ...{ ...scopeOf(cli, root, { paths, flags }), models, showPath },
      ...{ judgeFlags: judgeFlags(flags), ...defined({ record }) },
    }),
  );
  cli.end(check.passed ? exitCode.accepted : exitCode.notAccepted);
  const format = flags.json === true ? "json" : (flags.format ?? "text");
  if (format === "json") return printJson(cli, checkToJson(check));
  if (format === "text") return printOut(cli, checkLines(check, showPath));
  const { gates, findings, checked } = check;
  const about = { title: "signoff notes check", folder: tools.source.folderInRepository };
  cli.screen.out.write(renderCi({ ...about, pairs: checked, gates, findings }, format));
  // A log shows both streams: the sum is one line, like every annotation.
  if (format === "github") cli.screen.err.write(`${sumLine(check).text}\n`);
}

/** The flags that name the judge, for commands that are printed. */
function judgeFlags({ panel, script, model }: ScopeFlags): string {
  const given = [
    ...(panel === undefined ? [] : ["--panel", panel]),
    ...(script === undefined ? [] : ["--script", quotedPath(script)]),
    ...(model ?? []).flatMap((name) => ["--model", name]),
  ];
  return given.map((one) => ` ${one}`).join("");
}

function checkLines(check: NotesCheck, showPath: ShowPath): readonly Line[] {
  const { findings } = check;
  return [
    ...findings
      .filter(({ suppressed }) => suppressed === undefined)
      .flatMap(({ note, line, level, message, quote, mend }) => [
        {
          lead: [{ text: level.padEnd(8), style: styles[level] } as const],
          spans: [
            `${showPath(note)}${line === undefined ? "" : `:${line}`}: ${message}`,
            quote !== undefined && muted(`\n> ${clipped(quote, longestQuote)}`),
          ],
        },
        mend !== undefined && { lead: [" ".repeat(8)], spans: [muted(mend)], isWhole: true },
      ]),
    sumLine(check),
  ];
}

const longestQuote = 200;
const styles = { error: "bad", warning: "caution", note: "muted" } as const;

function sumLine(check: NotesCheck): { readonly text: string; readonly style: "good" | "bad" } {
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
    const shown = lines.length === 0 ? [`There are no reviews of ${path}.`] : lines;
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
    const text = `${renderCount(written.length, "review")} written below ${tools.settings.exports}/.`;
    printResult(cli, flags, { written: [...written] }, text);
  });
}
