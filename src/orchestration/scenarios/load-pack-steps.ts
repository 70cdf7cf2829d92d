import { isFlaky } from "../../domain/scenarios/repeats.ts";
import type { ScenarioRecord, StepRecord } from "../../domain/scenarios/run-record.ts";
import type { Status } from "../../domain/scenarios/step-status.ts";
import { defined } from "../../domain/values/defined.ts";
import { findArtifact } from "./artifact-files.ts";
import { storedReportOf } from "./load-pack-run.ts";
import type { LibraryRun, PackLibrary } from "./pack-library.ts";

interface StepRow {
  readonly scenarioId: string;
  readonly stepId: string;
  readonly title: string;
  readonly statuses: { readonly runId: string; readonly status: Status }[];
}

interface AskedStep
  extends Pick<ScenarioRecord, "scenarioId">,
    Pick<StepRecord, "stepId" | "title" | "status" | "flaky"> {
  /** The questions and the version of the assistant; absent where the version is not known. */
  readonly of?: string;
}

type RunSteps = readonly AskedStep[];

/** Steps of finished runs, by folder and id: they do not change, so each run is read once. */
const known = new WeakMap<PackLibrary, Map<string, RunSteps>>();

/** How each step went, run by run, oldest first; runs whose files cannot be read are left out. */
export async function loadPackSteps(library: PackLibrary, runs: readonly LibraryRun[]) {
  const rows = new Map<string, StepRow & { readonly asked: AskedStep[] }>();
  const read: { readonly runId: string; readonly startedAt?: string }[] = [];
  for (const found of runs) {
    const { runId, startedAt } = found.run;
    const steps = await stepsOf(library, found).catch(() => undefined);
    if (steps === undefined) continue;
    read.push({ runId, ...defined({ startedAt }) });
    for (const step of steps) {
      const { scenarioId, stepId, title, status } = step;
      const key = `${scenarioId} ${stepId}`;
      const row = rows.get(key) ?? { scenarioId, stepId, title, statuses: [], asked: [] };
      rows.set(key, row);
      row.statuses.push({ runId, status });
      row.asked.push(step);
    }
  }
  const steps = [...rows.values()].map(({ asked, ...row }) => ({ ...row, flaky: isFlaky(asked) }));
  return { runs: read, steps };
}

async function stepsOf(library: PackLibrary, found: LibraryRun): Promise<RunSteps> {
  const ofLibrary = known.get(library) ?? new Map<string, RunSteps>();
  known.set(library, ofLibrary);
  const key = `${found.folder}\n${found.run.runId}`;
  const before = ofLibrary.get(key);
  if (before !== undefined) return before;
  const { scenarios, assistant } = await storedReportOf(library, found);
  const manifest = await findArtifact(library.folders, found.folder, "run_manifest.json");
  const steps = scenarios.flatMap(({ scenarioId, assistantVersions = [], steps }) => {
    const [version, ...others] = assistantVersions;
    const isKnown = version !== undefined && others.length === 0 && manifest !== undefined;
    const asked = [manifest?.specHash, assistant?.url, assistant?.name, version];
    const of = isKnown ? JSON.stringify(asked) : undefined;
    return steps.map(({ stepId, title, status, flaky }) => ({
      ...{ scenarioId, stepId, title, status },
      ...defined({ flaky, of }),
    }));
  });
  ofLibrary.set(key, steps);
  return steps;
}
