import type { Status } from "../../domain/scenarios/step-status.ts";
import { defined } from "../../domain/values/defined.ts";
import { storedReportOf } from "./load-pack-run.ts";
import type { LibraryRun, PackLibrary } from "./pack-library.ts";

interface StepRow {
  readonly scenarioId: string;
  readonly stepId: string;
  readonly title: string;
  readonly statuses: { readonly runId: string; readonly status: Status }[];
}

type RunSteps = readonly Pick<StepRow, "scenarioId" | "stepId" | "title">[] &
  readonly { readonly status: Status }[];

/** Steps of finished runs, by folder and id: they do not change, so each run is read once. */
const known = new WeakMap<PackLibrary, Map<string, RunSteps>>();

/** How each step went, run by run, oldest first; runs whose files cannot be read are left out. */
export async function loadPackSteps(library: PackLibrary, runs: readonly LibraryRun[]) {
  const rows = new Map<string, StepRow>();
  const read: { readonly runId: string; readonly startedAt?: string }[] = [];
  for (const found of runs) {
    const { runId, startedAt } = found.run;
    const steps = await stepsOf(library, found).catch(() => undefined);
    if (steps === undefined) continue;
    read.push({ runId, ...defined({ startedAt }) });
    for (const { scenarioId, stepId, title, status } of steps) {
      const key = `${scenarioId} ${stepId}`;
      const row = rows.get(key) ?? { scenarioId, stepId, title, statuses: [] };
      rows.set(key, row);
      row.statuses.push({ runId, status });
    }
  }
  const steps = [...rows.values()].map((row) => ({ ...row, flaky: isFlaky(row.statuses) }));
  return { runs: read, steps };
}

async function stepsOf(library: PackLibrary, found: LibraryRun): Promise<RunSteps> {
  const ofLibrary = known.get(library) ?? new Map<string, RunSteps>();
  known.set(library, ofLibrary);
  const key = `${found.folder}\n${found.run.runId}`;
  const before = ofLibrary.get(key);
  if (before !== undefined) return before;
  const { scenarios } = await storedReportOf(library, found);
  const steps = scenarios.flatMap(({ scenarioId, steps }) =>
    steps.map(({ stepId, title, status }) => ({ scenarioId, stepId, title, status })),
  );
  ofLibrary.set(key, steps);
  return steps;
}

/** It changed its mind more than once: accepted, then not, then accepted, or the other way round. */
function isFlaky(statuses: StepRow["statuses"]): boolean {
  const turns = statuses.filter(
    ({ status }, at) =>
      at > 0 && (status === "accepted") !== (statuses[at - 1]?.status === "accepted"),
  );
  return turns.length > 1;
}
