import { resolve } from "node:path";
import { printableJson } from "../../contract/documents/json-text.ts";
import { rulingsToJson } from "../../contract/http/rulings.ts";
import { runExportToJson } from "../../contract/http/run-export.ts";
import { draftStatsToJson } from "../../contract/http/run-stats.ts";
import { instantFromMillis, millisOf } from "../../domain/values/instant.ts";
import { exportRun, type RunExport } from "../../orchestration/runs/export-run.ts";
import { findRun, unknownRun } from "../../orchestration/runs/list-runs.ts";
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
import { invalidFlag } from "../shell/flag-values.ts";
import type { Span } from "../shell/lay-out.ts";
import {
  type JsonFlags,
  printJson,
  printOut,
  printResult,
  printText,
  projectPlaceOf,
  rootOf,
} from "../shell/print.ts";
import { accent, muted } from "../shell/styles.ts";
import { withProject } from "../shell/with-project.ts";
import { readRun } from "./read-run.ts";

export interface ExportFlags extends JsonFlags {
  readonly format: "json" | "md" | "csv";
  readonly output?: string;
}

export interface StatsFlags extends JsonFlags {
  readonly since?: string;
}

export interface PruneFlags extends JsonFlags {
  readonly olderThan: string;
  readonly keepAccepted?: boolean;
  readonly dryRun?: boolean;
}

export async function exportRunCommand(
  cli: CliContext,
  prefix: string,
  flags: ExportFlags,
): Promise<void> {
  const exported = await readRun(cli, prefix, exportRun);
  const text = exportText(exported, flags.json === true ? "json" : flags.format);
  if (flags.output === undefined || flags.output === "-") printText(cli, text);
  else await saveText(resolve(cli.cwd, flags.output), text);
}

function exportText({ session, calls, rulings }: RunExport, format: ExportFlags["format"]): string {
  switch (format) {
    case "json": {
      const json = runExportToJson({ session, calls, rulings: rulingsToJson(rulings) });
      return printableJson(json, 2);
    }
    case "md":
      return `${renderSessionText(session).join("\n")}\n`;
    case "csv":
      return renderTurnsCsv(session);
  }
}

export async function showStats(cli: CliContext, flags: StatsFlags): Promise<void> {
  const since = flags.since === undefined ? instantFromMillis(0) : ago(cli, "--since", flags.since);
  const stats = await readRuns(projectPlaceOf(cli), async (source) =>
    source === undefined ? { drafts: [], reviewers: [] } : draftStats(source, since),
  );
  if (flags.json === true) return printJson(cli, draftStatsToJson(stats));
  const { drafts, reviewers } = stats;
  if (drafts.length === 0) return printOut(cli, "No draft has come to a decision yet.");
  const head = ["recipe", "model", "runs", "approved", "turns", "per turn", "cost"].map(muted);
  const rows = drafts.map((one): readonly Span[] => [
    accent(one.recipe),
    { text: one.model },
    { text: String(one.runs) },
    { text: `${Math.round(one.approvalRate * 100)} %` },
    { text: one.averageTurns.toFixed(1) },
    { text: renderDuration(one.secondsPerTurn) },
    { text: renderCost(one.microUsd, [one.model]) },
  ]);
  printOut(cli, (layout) => renderColumns([head, ...rows], layout));
  if (reviewers.length === 0) return;
  const titles = ["reviewer", "signed", "asked to sign", "did not"].map(muted);
  const signing = reviewers.map(({ model, signed, questions, refused }): readonly Span[] => [
    accent(model),
    { text: String(signed) },
    { text: String(questions) },
    { text: String(refused) },
  ]);
  printOut(cli, (layout) => ["", ...renderColumns([titles, ...signing], layout)]);
}

export async function prune(cli: CliContext, flags: PruneFlags): Promise<void> {
  const before = ago(cli, "--older-than", flags.olderThan);
  const dryRun = flags.dryRun === true;
  const how = { before, keepAccepted: flags.keepAccepted === true, dryRun };
  const removed = await withRemoval(cli, (parts) => pruneRuns(parts, how));
  const runs = removed ?? [];
  const text = `${renderCount(runs.length, "run")} ${dryRun ? "would be removed" : "removed"}.`;
  printResult(cli, flags, { dry_run: dryRun, runs }, text);
}

export async function deleteRun(cli: CliContext, prefix: string, flags: JsonFlags): Promise<void> {
  const run = await withRemoval(cli, async (parts) => {
    const found = await findRun(parts, prefix);
    await removeRun(parts, found);
    return found;
  });
  if (run === undefined) throw unknownRun(prefix);
  printResult(cli, flags, { run_id: run, deleted: true }, `Run ${run} is removed.`);
}

/** Never creates a store. */
async function withRemoval<T>(
  cli: CliContext,
  work: (parts: RemovalParts) => Promise<T>,
): Promise<T | undefined> {
  const root = rootOf(cli);
  const isThere = await readRuns(projectPlaceOf(cli), async (it) => it !== undefined);
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
    const hint = "Write hours, days or weeks: 24h, 90d, 8w.";
    throw invalidFlag(`${flag} ${text} is not an age.`, hint, { flag, value: text });
  }
  const now = millisOf(clockOf(cli.environment).now());
  return instantFromMillis(now - Number(count) * millisIn[unit as keyof typeof millisIn]);
}
