import { renderCheckJUnit, renderGitHub, renderSarif } from "../../contract/gates/check-formats.ts";
import { checkToJson, historyToJson } from "../../contract/http/notes.ts";
import { checkNotes, type NotesCheck } from "../../orchestration/gates/check-notes.ts";
import { exportReviews } from "../../orchestration/gates/export-reviews.ts";
import { loadHistory } from "../../orchestration/gates/note-history.ts";
import { openNotesWithoutStore } from "../../wiring/features/notes-reading.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { exitCode } from "../shell/exit-code.ts";
import { type Layout, layOut } from "../shell/lay-out.ts";
import { printJson, printOut, printResult } from "../shell/print.ts";
import { printLines } from "../shell/screen.ts";
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
  const { tools } = await openNotesWithoutStore(root, cli.environment, loaded.settings);
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
      return printLines(cli.screen.err, renderCheck(check, cli.layoutOf(cli.screen.err)).slice(-1));
    case "text":
      return printLines(out, renderCheck(check, cli.layoutOf(out)));
  }
}

function renderCheck(check: NotesCheck, layout: Layout): readonly string[] {
  const { findings, problems, passed, pairs, stale, failing } = check;
  const sum = passed
    ? `${pairs} pairs are fresh and pass.`
    : `${pairs} pairs: ${stale} stale, ${failing} failing. ${stale > 0 ? "Review with `signoff notes review` and commit the lock." : "`signoff notes warns` is the work list."}`;
  return [
    ...problems.flatMap(({ path, message }) => layOut([{ text: `${path}: ${message}` }], layout)),
    ...findings.flatMap(({ note, line, level, message }) =>
      layOut([{ text: `${note}${line === undefined ? "" : `:${line}`}: ${message}` }], layout, [
        { text: `${level.padEnd(8)}`, style: level === "error" ? "bad" : "caution" },
      ]),
    ),
    ...layOut([{ text: sum, style: passed ? "good" : "bad" }], layout),
  ];
}

export async function showHistory(
  cli: CliContext,
  note: string,
  flags: { readonly json?: boolean },
): Promise<void> {
  const session = await notesSession(cli, flags);
  const path = pathInRoot(cli, session.root, note);
  await readNotes(cli, session, async (tools) => {
    const entries = await loadHistory(tools, path);
    if (flags.json === true) return printJson(cli, historyToJson({ note: path, entries }));
    const lines = entries.map(
      ({ at, act, gate, model, decision, kind, run, noteBlob, reason, by }) => {
        const how = act === "review" ? `review of run ${run ?? "?"}` : (kind ?? act);
        const why = reason === undefined ? "" : `: ${reason}${by === undefined ? "" : ` (${by})`}`;
        return `${at.slice(0, 19)}  ${decision.padEnd(7)} ${gate} (${model})  ${how}, note ${noteBlob.slice(0, 8)}${why}`;
      },
    );
    const shown = lines.length === 0 ? [`Nothing is known of ${path}.`] : lines;
    for (const text of shown) printOut(cli, [{ text }]);
  });
}

export async function exportReviewsCommand(
  cli: CliContext,
  paths: readonly string[],
  flags: { readonly json?: boolean },
): Promise<void> {
  const session = await notesSession(cli, flags);
  const { root } = session;
  await readNotes(cli, session, async (tools) => {
    const written = await exportReviews(
      tools,
      paths.map((path) => pathInRoot(cli, root, path)),
    );
    const text = `${written.length} reviews written below ${tools.settings.exports}/.`;
    printResult(cli, flags, { written: [...written] }, [{ text }]);
  });
}
