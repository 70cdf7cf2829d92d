import { defined } from "../../domain/values/defined.ts";
import { listRuns } from "../../orchestration/runs/list-runs.ts";
import type { RunState } from "../../ports/run-store.ts";
import { readRuns } from "../../wiring/project/run-source.ts";
import { clockOf } from "../../wiring/project/system-clock.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { type JsonFlags, printJson, printOut, projectPlaceOf } from "../shell/print.ts";
import { renderRunsTable } from "./runs-table.ts";

export interface ListFlags extends JsonFlags {
  readonly all?: boolean;
  readonly limit: number;
  readonly state?: RunState;
}

export async function listRunsCommand(cli: CliContext, flags: ListFlags): Promise<void> {
  const { limit, state } = flags;
  const clock = clockOf(cli.environment);
  const filter = { limit, topOnly: flags.all !== true, ...defined({ state }) };
  const rows = await readRuns(projectPlaceOf(cli), async (source) =>
    source === undefined ? [] : listRuns(source, filter),
  );
  if (flags.json === true) {
    const { runsToJson } = await import("../../contract/http/runs.ts");
    return printJson(cli, runsToJson(rows));
  }
  printOut(cli, (layout) => renderRunsTable(rows, clock.now(), layout));
}
