import { resolve } from "node:path";
import { rulingsToJson } from "../../contract/http/rulings.ts";
import { runExportToJson } from "../../contract/http/run-export.ts";
import { draftStatsToJson } from "../../contract/http/run-stats.ts";
import { instantFromMillis, millisOf } from "../../domain/values/instant.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import { exportRun, type RunExport } from "../../orchestration/runs/export-run.ts";
import { existingRuns, findRun, unknownRun } from "../../orchestration/runs/list-runs.ts";
import { pruneRuns, type RemovalParts, removeRun } from "../../orchestration/runs/remove-runs.ts";
import { draftStats } from "../../orchestration/runs/run-stats.ts";
import { removeRecord } from "../../wiring/project/remove-record.ts";
import { readRuns, runSourceOf } from "../../wiring/project/run-source.ts";
import { saveText } from "../../wiring/project/save-text.ts";
import { clockOf } from "../../wiring/project/system-clock.ts";
import { renderSessionText } from "../draft/session-text.ts";
import { renderTurnsCsv } from "../draft/turns-csv.ts";
import { renderCost, renderCount, renderDuration } from "../shell/amounts.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { renderColumns } from "../shell/columns.ts";
import type { Span } from "../shell/lay-out.ts";
import { printJson, printOut, printResult, rootOf } from "../shell/print.ts";
import { printLines } from "../shell/screen.ts";
import { withProject } from "../shell/with-project.ts";

export interface ExportFlags {
  readonly format: "json" | "md" | "csv";
  readonly output?: string;
  readonly json?: boolean;
}

export interface StatsFlags {
  readonly since?: string;
  readonly json?: boolean;
}

export interface PruneFlags {
  readonly olderThan: string;
  readonly keepAccepted?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export interface DeleteFlags {
  readonly json?: boolean;
}

export async function exportRunCommand(
  cli: CliContext,
  prefix: string,
  flags: ExportFlags,
): Promise<void> {
  const exported = await readRuns(rootOf(cli), clockOf(cli.environment), async (found) => {
    const source = existingRuns(found, prefix);
    return exportRun(source, await findRun(source, prefix));
  });
  const text = exportText(exported, flags.json === true ? "json" : flags.format);
  if (flags.output === undefined || flags.output === "-") cli.screen.out.write(text);
  else await saveText(resolve(cli.cwd, flags.output), text);
}

function exportText({ session, calls, rulings }: RunExport, format: ExportFlags["format"]): string {
  switch (format) {
    case "json": {
      const json = runExportToJson({ session, calls, rulings: rulingsToJson(rulings) });
      return `${JSON.stringify(json, undefined, 2)}\n`;
    }
    case "md":
      return `${renderSessionText(session).join("\n")}\n`;
    case "csv":
      return renderTurnsCsv(session);
  }
}

export async function showStats(cli: CliContext, flags: StatsFlags): Promise<void> {
  const clock = clockOf(cli.environment);
  const since = flags.since === undefined ? instantFromMillis(0) : ago(cli, "--since", flags.since);
  const stats = await readRuns(rootOf(cli), clock, async (source) =>
    source === undefined ? { drafts: [], reviewers: [] } : draftStats(source, since),
  );
  if (flags.json === true) return printJson(cli, draftStatsToJson(stats));
  const { drafts, reviewers } = stats;
  if (drafts.length === 0) return printOut(cli, [{ text: "No draft has come to a decision yet." }]);
  const head = ["recipe", "model", "runs", "approved", "turns", "per turn", "cost"];
  const rows = drafts.map((one): readonly Span[] => [
    { text: one.recipe, style: "accent" },
    { text: one.model },
    { text: String(one.runs) },
    { text: `${Math.round(one.approvalRate * 100)} %` },
    { text: one.averageTurns.toFixed(1) },
    { text: renderDuration(one.secondsPerTurn) },
    { text: renderCost(one.microUsd, [one.model]) },
  ]);
  const signing = reviewers.map(({ model, signed, questions, refused }): readonly Span[] => [
    { text: model, style: "accent" },
    { text: String(signed) },
    { text: String(questions) },
    { text: String(refused) },
  ]);
  printTable(cli, head, rows);
  if (signing.length === 0) return;
  printOut(cli, []);
  printTable(cli, ["reviewer", "signed", "asked to sign", "did not"], signing);
}

function printTable(
  cli: CliContext,
  head: readonly string[],
  rows: readonly (readonly Span[])[],
): void {
  const titles = head.map((text): Span => ({ text, style: "muted" }));
  printLines(cli.screen.out, renderColumns([titles, ...rows], cli.layoutOf(cli.screen.out)));
}

export async function prune(cli: CliContext, flags: PruneFlags): Promise<void> {
  const before = ago(cli, "--older-than", flags.olderThan);
  const dryRun = flags.dryRun === true;
  const how = { before, keepAccepted: flags.keepAccepted === true, dryRun };
  const removed = await withRemoval(cli, (parts) => pruneRuns(parts, how));
  const runs = removed ?? [];
  const text = `${renderCount(runs.length, "run")} ${dryRun ? "would be removed" : "removed"}.`;
  printResult(cli, flags, { dry_run: dryRun, runs }, [{ text }]);
}

export async function deleteRun(
  cli: CliContext,
  prefix: string,
  flags: DeleteFlags,
): Promise<void> {
  const run = await withRemoval(cli, async (parts) => {
    const found = await findRun(parts, prefix);
    await removeRun(parts, found);
    return found;
  });
  if (run === undefined) throw unknownRun(prefix);
  printResult(cli, flags, { run_id: run, deleted: true }, [{ text: `Run ${run} is removed.` }]);
}

/** Nothing is created where nothing ever ran. */
async function withRemoval<T>(
  cli: CliContext,
  work: (parts: RemovalParts) => Promise<T>,
): Promise<T | undefined> {
  const root = rootOf(cli);
  const isThere = await readRuns(root, clockOf(cli.environment), async (it) => it !== undefined);
  if (!isThere) return undefined;
  return withProject(cli, { root, flags: {}, runsNothing: true }, ({ project }) => {
    const source = runSourceOf(project.store, project.clock);
    return work({ ...source, removeRecord: (run) => removeRecord(root, run) });
  });
}

const millisIn = { h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

function ago(cli: CliContext, flag: string, text: string) {
  const [, count, unit] = /^([1-9]\d{0,4})([hdw])$/u.exec(text.trim()) ?? [];
  if (count === undefined) {
    throw new ConfigurationError(`${flag} ${text} is not an age.`, {
      code: "flag-invalid",
      facts: { flag, value: text },
      hint: "Write hours, days or weeks: 24h, 90d, 8w.",
    });
  }
  const now = millisOf(clockOf(cli.environment).now());
  return instantFromMillis(now - Number(count) * millisIn[unit as keyof typeof millisIn]);
}
