import type { RunReport } from "../../contract/http/pack-report.ts";
import type { PackVerdict, StepDetail } from "../../contract/http/packs.ts";
import type { RunComparison } from "../../domain/scenarios/divergence.ts";
import type { ScenarioRecord } from "../../domain/scenarios/run-record.ts";
import { type AnalystVerdict, VERDICT_FLAGS } from "../../domain/scenarios/verdict.ts";
import { defined } from "../../domain/values/defined.ts";
import { WorkflowError } from "../../domain/values/workflow-error.ts";
import { readVerdictFile } from "../../protocol/scenarios/verdict-format.ts";
import { findArtifact } from "./artifact-files.ts";
import { comparePackRuns, readPackRecord } from "./compare-packs.ts";
import { findPackRun, type LibraryRun, type PackLibrary } from "./pack-library.ts";
import { packReport, scenarioReport } from "./run-report.ts";

/** The whole judged run, from its files. */
export async function loadPackReport(library: PackLibrary, runId: string): Promise<RunReport> {
  return storedReportOf(library, await finishedRun(library, runId));
}

export async function storedReportOf(
  library: PackLibrary,
  { folder, loop, run: { runId } }: LibraryRun,
): Promise<RunReport> {
  const { scenarios } = await readPackRecord(library.folders, folder);
  const state = await findArtifact(library.folders, folder, "pack_state.json");
  if (state === undefined) return scenarioReport(runId, folder, scenarios[0] as ScenarioRecord);
  const isLatest = loop?.iterations.at(-1)?.runId === runId;
  return {
    ...packReport(folder, { scenarios, state }),
    ...(isLatest ? { nextAction: loop.nextAction } : {}),
  };
}

/** `pack compare` for runs that are known by their ids. */
export async function compareShelvedRuns(
  library: PackLibrary,
  {
    before,
    after,
    reason,
  }: { readonly before: string; readonly after: string; readonly reason?: string },
): Promise<RunComparison> {
  const left = await finishedRun(library, before);
  const right = await finishedRun(library, after);
  const vouched = reason === undefined ? undefined : { reason };
  return comparePackRuns(library.folders, [left.folder, right.folder], vouched);
}

export async function loadPackVerdict(library: PackLibrary, runId: string): Promise<PackVerdict> {
  const { folder, run, loop } = await findPackRun(library, runId);
  const text = await library.folders.read(folder, "analyst_verdict.json");
  const reading = text === undefined ? undefined : readVerdictFile(text);
  const iteration = loop?.iterations.find((one) => one.runId === runId);
  return {
    ...(loop === undefined || iteration === undefined || run.loop === undefined
      ? {}
      : { loop: { ...iteration, runId: run.loop.runId, ...loopFacts(loop) } }),
    ...(reading?.kind === "read" ? { verdict: verdictFacts(reading.verdict) } : {}),
    problems: reading?.kind === "void" ? reading.problems : [],
  };
}

/** Only steps that the run itself names can be asked for. */
export async function loadStepDetail(
  library: PackLibrary,
  runId: string,
  at: { readonly scenarioId: string; readonly stepId: string },
): Promise<StepDetail> {
  const { folder, run } = await findPackRun(library, runId);
  const home = run.kind === "scenario" ? folder : `${folder}/scenarios/${at.scenarioId}`;
  const place = `${home}/steps/${at.stepId}`;
  const state = await findArtifact(library.folders, place, "step_state.json");
  const turn = await findArtifact(library.folders, place, "turn.json");
  if (state?.scenarioId !== at.scenarioId || turn === undefined) {
    throw new WorkflowError(`Run ${runId} has no step ${at.scenarioId}/${at.stepId}.`, {
      code: "step-unknown",
      facts: { run: runId, ...at },
    });
  }
  const { analysisContext, entries, entriesFrom, debug } = state;
  return { analysisContext, entries, entriesFrom, debug, ...defined({ failure: turn.failure }) };
}

async function finishedRun(library: PackLibrary, runId: string): Promise<LibraryRun> {
  const found = await findPackRun(library, runId);
  const { state } = found.run;
  if (state === "finished") return found;
  if (state === "unfinished") {
    throw new WorkflowError(`Run ${runId} is not finished yet.`, {
      code: "run-unfinished",
      facts: { run: runId },
      hint: "Repeat its command to resume it.",
    });
  }
  throw new WorkflowError(`The files of run ${runId} are damaged.`, {
    code: "run-damaged",
    facts: { run: runId },
    hint: "`signoff doctor` examines it; repeating its command starts a new run.",
  });
}

function loopFacts(loop: NonNullable<LibraryRun["loop"]>) {
  const { analystModel, standIn, targetScore, maxIterations, nextAction } = loop;
  return { analystModel, standIn, targetScore, maxIterations, nextAction };
}

function verdictFacts(verdict: AnalystVerdict) {
  const { qualityScore, loopDecision, summary, userDecisionPrompt, notes } = verdict;
  return {
    qualityScore,
    loopDecision,
    flags: VERDICT_FLAGS.map((name) => ({ name, ok: verdict[name] })),
    ...defined({ summary, userDecisionPrompt }),
    notes,
  };
}
