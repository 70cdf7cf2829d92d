import type { RunReport } from "../../contract/http/pack-report.ts";
import type { PackVerdict, StepDetail } from "../../contract/http/packs.ts";
import { readArtifact } from "../../contract/scenarios/write-artifact.ts";
import type { RunComparison } from "../../domain/scenarios/divergence.ts";
import { type AnalystVerdict, VERDICT_FLAGS } from "../../domain/scenarios/verdict.ts";
import { defined } from "../../domain/values/defined.ts";
import { WorkflowError } from "../../domain/values/workflow-error.ts";
import { readVerdictFile } from "../../protocol/scenarios/verdict-format.ts";
import { comparePackRuns, readPackRecord } from "./compare-packs.ts";
import { findPackRun, type LibraryRun, type PackLibrary } from "./pack-library.ts";
import { packReport, scenarioReport } from "./run-report.ts";

/** The whole run as it was judged, from what it left on the disk. */
export async function loadPackReport(library: PackLibrary, runId: string): Promise<RunReport> {
  const { folder, loop } = await finishedRun(library, runId);
  const { scenarios } = await readPackRecord(library.folders, folder);
  const text = await library.folders.read(folder, "pack_state.json");
  const [only] = scenarios;
  if (text === undefined && only !== undefined) return scenarioReport(runId, folder, only);
  const state = readArtifact("pack_state.json", text ?? "");
  const isLatest = loop?.iterations.at(-1)?.runId === runId;
  return {
    ...packReport(folder, { scenarios, state }),
    ...(isLatest ? { nextAction: loop.nextAction } : {}),
  };
}

/** `pack compare` for runs that are known by their ids. */
export async function compareShelvedRuns(
  library: PackLibrary,
  before: string,
  after: string,
): Promise<RunComparison> {
  const left = await finishedRun(library, before);
  const right = await finishedRun(library, after);
  return comparePackRuns(library.folders, left.folder, right.folder);
}

export async function loadPackVerdict(library: PackLibrary, runId: string): Promise<PackVerdict> {
  const { folder, run, loop } = await findPackRun(library, runId);
  const text = await library.folders.read(folder, "analyst_verdict.json");
  const reading = text === undefined ? undefined : readVerdictFile(text);
  const iteration = loop?.iterations.find((one) => one.runId === runId);
  return {
    ...(loop === undefined || iteration === undefined || run.loop === undefined
      ? {}
      : {
          loop: {
            ...iteration,
            runId: run.loop.runId,
            analystModel: loop.analystModel,
            standIn: loop.standIn,
            targetScore: loop.targetScore,
            maxIterations: loop.maxIterations,
            nextAction: loop.nextAction,
          },
        }),
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
  const home = run.kind === "scenario" ? "" : `scenarios/${at.scenarioId}/`;
  const read = (name: string) => library.folders.read(folder, `${home}steps/${at.stepId}/${name}`);
  const stateText = await read("step_state.json");
  const turnText = await read("turn.json");
  if (stateText === undefined || turnText === undefined) throw unknownStep(runId, at);
  const { analysisContext, entries, entriesFrom, debug, ...state } = readArtifact(
    "step_state.json",
    stateText,
  );
  if (state.scenarioId !== at.scenarioId) throw unknownStep(runId, at);
  const { failure } = readArtifact("turn.json", turnText);
  return { analysisContext, entries, entriesFrom, debug, ...defined({ failure }) };
}

async function finishedRun(library: PackLibrary, runId: string): Promise<LibraryRun> {
  const found = await findPackRun(library, runId);
  const { state } = found.run;
  if (state === "finished") return found;
  throw new WorkflowError(
    state === "unfinished"
      ? `Run ${runId} is not finished yet.`
      : `The files of run ${runId} are damaged.`,
    {
      code: state === "unfinished" ? "run-unfinished" : "run-damaged",
      facts: { run: runId },
      hint:
        state === "unfinished"
          ? "Typing its command again goes on with it."
          : "`signoff doctor` looks closer; typing its command again makes a new run.",
    },
  );
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

function unknownStep(
  run: string,
  at: { readonly scenarioId: string; readonly stepId: string },
): WorkflowError {
  return new WorkflowError(`Run ${run} has no step ${at.scenarioId}/${at.stepId}.`, {
    code: "step-unknown",
    facts: { run, ...at },
  });
}
