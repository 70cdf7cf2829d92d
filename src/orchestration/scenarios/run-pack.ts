import { writeRunInput } from "../../contract/scenarios/run-inputs.ts";
import { writePack, writeScenario } from "../../contract/scenarios/write-manifest.ts";
import { type Pack, packOfOne, type Scenario } from "../../domain/scenarios/manifest.ts";
import type { FileHints } from "../../domain/scenarios/repair-targets.ts";
import { canonicalJson } from "../../domain/values/canonical-json.ts";
import { defined } from "../../domain/values/defined.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { Answer } from "../../ports/question.ts";
import {
  checkQuestions,
  type QuestionSettings,
  questionFiles,
  refuseWeakQuestions,
} from "./check-questions.ts";
import { affordableReplays } from "./question-budget.ts";
import {
  inspectFolder,
  type RunParts,
  type StartedRun,
  type StartRun,
  startRun,
} from "./start-run.ts";

export interface PackParts extends RunParts {
  readonly digest: (text: string) => string;
  readonly questions: QuestionSettings;
  readonly fileHints: FileHints;
  /** Stores a person's answer without waking the run that waits for it. */
  readonly answer: (decision: string, answer: Answer) => Promise<void>;
}

/** What every run of questions needs, whatever it plays. */
export interface RunRequest extends Pick<StartRun, "fresh" | "run" | "budget"> {
  /** Relative to the project's root. */
  readonly folder: string;
  readonly assistantUrl: string;
}

export interface PackRunRequest extends RunRequest {
  readonly pack: Pack;
  readonly repeat: number;
  readonly skipQuestionReview: boolean;
  /** Most questions that the assistant may be asked, all replays together. */
  readonly maxQuestions?: number;
}

/** Checks the questions, then starts or continues the run of a pack. */
export async function startPackRun(parts: PackParts, request: PackRunRequest): Promise<StartedRun> {
  const { pack, folder, assistantUrl, repeat } = request;
  const review = checkQuestions(pack, folder, parts.questions);
  if (!request.skipQuestionReview) refuseWeakQuestions(review);
  affordableReplays(pack, request);
  const started = await startRun(parts, {
    ...startOf(request),
    kind: "pack",
    input: writeRunInput("pack", {
      ...{ folder, assistantUrl, pack: writePack(pack), repeat, fileHints: parts.fileHints },
      specHash: specHashOf(pack, parts.digest),
      awaitsAnalyst: false,
    }),
  });
  await parts.folders.write(folder, questionFiles(review, pack));
  return started;
}

interface ScenarioRequest extends RunRequest {
  readonly scenario: Scenario;
}

export function startScenarioRun(parts: PackParts, request: ScenarioRequest): Promise<StartedRun> {
  const specHash = specHashOf(packOfOne(request.scenario), parts.digest);
  const input = { ...scenarioInput(request), own: { kind: "scenario", specHash } } as const;
  return startRun(parts, {
    ...startOf(request),
    kind: "scenario",
    input: writeRunInput("scenario", input),
  });
}

/** An earlier baseline is moved to the archive, never overwritten. A rerun is written beside its baseline. */
export async function startCaseRun(
  parts: PackParts,
  request: ScenarioRequest & { readonly rerun: boolean },
): Promise<StartedRun> {
  const { scenario, folder, rerun } = request;
  const specHash = specHashOf(packOfOne(scenario), parts.digest);
  if (rerun) await prepareRerun(parts, folder, specHash);
  return startRun(parts, {
    ...startOf(request),
    kind: "scenario",
    keepFolder: rerun,
    input: writeRunInput("scenario", {
      ...scenarioInput(request),
      own: { kind: "case", specHash },
      label: rerun ? "rerun" : "baseline",
    }),
  });
}

function scenarioInput({ folder, assistantUrl, scenario }: ScenarioRequest) {
  return { folder, assistantUrl, scenario: writeScenario(scenario) };
}

/** A rerun must ask the question of its baseline; an earlier rerun is moved to the archive. */
async function prepareRerun(parts: PackParts, folder: string, specHash: string): Promise<void> {
  const { folders } = parts;
  const present = await inspectFolder(folders, folder);
  if (present?.kind !== "case" || present.specHash !== specHash) {
    const isOther = present?.kind === "case";
    throw new ConfigurationError(
      isOther
        ? `The baseline in ${folder} asked something else.`
        : `${folder} holds no baseline that this could be a rerun of.`,
      {
        code: isOther ? "baseline-differs" : "baseline-missing",
        facts: { folder },
        hint: isOther
          ? "Repeat the original question, or give this one another --case-id."
          : "Ask it once without --rerun first.",
      },
    );
  }
  const names = (await folders.names(folder)).filter((name) => name.startsWith("rerun_"));
  for (const name of names) await folders.move(folder, name, `reruns/${present.runId}/${name}`);
}

/** What proves that two runs asked the same: the pack with its scenarios and bindings, whatever its layout. */
export function specHashOf(pack: Pack, digest: (text: string) => string): string {
  return digest(canonicalJson(writePack(pack)));
}

export function startOf({ folder, fresh, run, budget }: RunRequest) {
  return { folder, ...defined({ fresh, run, budget }) };
}
