import { reportToJson } from "../../contract/http/pack-report.ts";
import type { RunOverview } from "../../orchestration/runs/list-runs.ts";
import { reportOf } from "../../orchestration/scenarios/run-report.ts";
import type { RunRecord } from "../../ports/run-store.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { layOut } from "../shell/lay-out.ts";
import { printJson } from "../shell/print.ts";
import { renderStoredError } from "../shell/render-error.ts";
import { printLines } from "../shell/screen.ts";
import { renderRunReport } from "./render-run-report.ts";

/** A stored run of questions: its report, or how far it is and where its files are. */
export function showQuestionRun(
  cli: CliContext,
  record: Omit<RunRecord, "state"> & Pick<RunOverview, "state">,
  flags: { readonly json?: boolean },
): void {
  const report = reportOf(record);
  const layout = cli.layoutOf(cli.screen.out);
  if (report !== undefined) {
    if (flags.json === true) printJson(cli, reportToJson(report));
    else printLines(cli.screen.out, renderRunReport(report, layout));
    return;
  }
  const { run, state, job, ending } = record;
  const { folder } = job.input as { readonly folder: string };
  if (flags.json === true) {
    printJson(cli, { run_id: run, kind: job.kind, state, folder });
    return;
  }
  printLines(cli.screen.out, [
    ...layOut([{ text: `Run ${run} (${job.kind}) is ${state}.` }], layout),
    ...(ending?.kind === "failed" ? renderStoredError(ending.error, layout) : []),
    ...layOut([{ text: `Files so far: ${folder}` }], layout),
  ]);
}
