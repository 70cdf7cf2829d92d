import { reportToJson } from "../../contract/http/pack-report.ts";
import type { RunOverview } from "../../orchestration/runs/list-runs.ts";
import { reportOf } from "../../orchestration/scenarios/run-report.ts";
import type { RunRecord } from "../../ports/run-store.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { layOut } from "../shell/lay-out.ts";
import { type JsonFlags, printResult, rootOf } from "../shell/print.ts";
import { renderStoredError } from "../shell/render-error.ts";
import { pathsFor } from "../shell/show-path.ts";
import { runReportLines } from "./render-run-report.ts";

/** A stored run of questions: its report, or its state and where its files are. */
export function showQuestionRun(
  cli: CliContext,
  record: Omit<RunRecord, "state"> & Pick<RunOverview, "state">,
  flags: JsonFlags,
): void {
  const shown = pathsFor(cli, rootOf(cli));
  const report = reportOf(record);
  if (report !== undefined) {
    printResult(cli, flags, reportToJson(report), runReportLines(report, shown));
    return;
  }
  const { run, state, job, ending } = record;
  const { folder } = job.input as { readonly folder: string };
  printResult(cli, flags, { run_id: run, kind: job.kind, state, folder }, (layout) => [
    ...layOut([`Run ${run} (${job.kind}) is ${state}.`], layout),
    ...(ending?.kind === "failed" ? renderStoredError(ending.error, layout) : []),
    ...layOut([`Files so far: ${shown(folder)}`], layout),
  ]);
}
