import type { PackRun } from "../../contract/http/packs.ts";
import type { Status } from "../../domain/scenarios/step-status.ts";
import { defined } from "../../domain/values/defined.ts";
import { loadPackReport } from "./load-pack-run.ts";
import type { PackLibrary } from "./pack-library.ts";

interface StepRow {
  readonly scenarioId: string;
  readonly stepId: string;
  readonly title: string;
  readonly statuses: { readonly runId: string; readonly status: Status }[];
}

/** How each step went, run by run, oldest first; runs whose files cannot be read are left out. */
export async function loadPackSteps(library: PackLibrary, runs: readonly PackRun[]) {
  const rows = new Map<string, StepRow>();
  const read: { readonly runId: string; readonly startedAt?: string }[] = [];
  for (const { runId, startedAt } of runs) {
    const report = await loadPackReport(library, runId).catch(() => undefined);
    if (report === undefined) continue;
    read.push({ runId, ...defined({ startedAt }) });
    for (const { scenarioId, steps } of report.scenarios) {
      for (const { stepId, title, status } of steps) {
        const key = `${scenarioId} ${stepId}`;
        const row = rows.get(key) ?? { scenarioId, stepId, title, statuses: [] };
        rows.set(key, row);
        row.statuses.push({ runId, status });
      }
    }
  }
  const steps = [...rows.values()].map((row) => ({ ...row, flaky: isFlaky(row.statuses) }));
  return { runs: read, steps };
}

/** It changed its mind more than once: accepted, then not, then accepted, or the other way round. */
function isFlaky(statuses: StepRow["statuses"]): boolean {
  const turns = statuses.filter(
    ({ status }, at) =>
      at > 0 && (status === "accepted") !== (statuses[at - 1]?.status === "accepted"),
  );
  return turns.length > 1;
}
