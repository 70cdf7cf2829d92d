import { writeRunInput } from "../../contract/scenarios/run-inputs.ts";
import { writePack, writeScenario } from "../../contract/scenarios/write-manifest.ts";
import type { AssistantChange } from "../../domain/scenarios/assistant-identity.ts";
import { chainedSteps } from "../../domain/scenarios/chained-steps.ts";
import type { CheckLists } from "../../domain/scenarios/check-rules.ts";
import { type Pack, packOfOne, type Scenario } from "../../domain/scenarios/manifest.ts";
import type { FileHints } from "../../domain/scenarios/repair-targets.ts";
import type { SessionKind } from "../../domain/scenarios/turn.ts";
import { canonicalJson } from "../../domain/values/canonical-json.ts";
import { defined } from "../../domain/values/defined.ts";
import { runId } from "../../domain/values/ids.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { Answer } from "../../ports/question.ts";
import {
  checkQuestions,
  type QuestionSettings,
  questionFiles,
  refuseWeakQuestions,
} from "./check-questions.ts";
import { chooseQuestions, type QuestionChoice, saidBefore } from "./choose-questions.ts";
import { affordableReplays } from "./question-budget.ts";
import { assistantOfJob, requireSameAssistant } from "./same-assistant.ts";
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
  /** What every answer is checked against, if the project has lists of its own. */
  readonly checkLists?: CheckLists;
  /** Plays the users of open dialogues. */
  readonly userModel: string;
  /** Stores a person's answer without waking the run that waits for it. */
  readonly answer: (decision: string, answer: Answer) => Promise<void>;
}

/** What every run of questions needs, whatever it plays. */
export interface RunRequest extends Pick<StartRun, "fresh" | "run" | "budget"> {
  /** Relative to the project's root. */
  readonly folder: string;
  readonly assistantUrl: string;
  readonly assistantName?: string;
  /** Who keeps its conversations together. */
  readonly sessions?: SessionKind;
  /** Vouches for another assistant than the earlier run's. */
  readonly assistantChange?: { readonly reason: string };
}

export interface PackRunRequest extends RunRequest {
  readonly pack: Pack;
  readonly repeat: number;
  readonly skipQuestionReview: boolean;
  /** A part of the pack. */
  readonly choice?: QuestionChoice;
  /** Simulated users ask what they asked in the latest run of the folder; always so for what failed. */
  readonly replayUsers?: boolean;
  /** Most questions that the assistant may be asked, all replays together. */
  readonly maxQuestions?: number;
}

/** Checks the questions, then starts or continues the run of a pack. */
export async function startPackRun(parts: PackParts, request: PackRunRequest): Promise<StartedRun> {
  const { pack: whole, folder, repeat, choice = {} } = request;
  const review = checkQuestions(whole, folder, parts.questions);
  if (!request.skipQuestionReview) refuseWeakQuestions(review);
  const about = { pack: whole, choice, folder, specHash: specHashOf(whole, parts.digest) };
  const { pack, selection } = await chooseQuestions(parts, about);
  refuseChains(pack, request);
  affordableReplays(pack, request);
  const isReplay = request.replayUsers === true || choice.failed === true;
  const said = isReplay && hasUser(pack) ? await saidBefore(parts, folder) : undefined;
  const started = await startRun(parts, {
    ...startOf(request),
    kind: "pack",
    input: writeRunInput("pack", {
      ...{ folder, pack: writePack(pack), repeat, fileHints: parts.fileHints },
      ...assistantInput(request),
      specHash: specHashOf(pack, parts.digest),
      awaitsAnalyst: false,
      ...defined({ selection, said }),
      ...userInput(pack, parts),
    }),
  });
  await parts.folders.write(folder, questionFiles(review, whole));
  return started;
}

interface ScenarioRequest extends RunRequest {
  readonly scenario: Scenario;
}

export async function startScenarioRun(
  parts: PackParts,
  request: ScenarioRequest,
): Promise<StartedRun> {
  refuseChains(packOfOne(request.scenario), request);
  const specHash = specHashOf(packOfOne(request.scenario), parts.digest);
  const user = userInput(packOfOne(request.scenario), parts);
  const own = { kind: "scenario", specHash } as const;
  const input = { ...scenarioInput(request), ...user, own };
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
  const { scenario, rerun } = request;
  const specHash = specHashOf(packOfOne(scenario), parts.digest);
  const assistantChanged = rerun ? await prepareRerun(parts, request, specHash) : undefined;
  return startRun(parts, {
    ...startOf(request),
    kind: "scenario",
    keepFolder: rerun,
    input: writeRunInput("scenario", {
      ...scenarioInput(request),
      ...defined({ assistantChanged }),
      own: { kind: "case", specHash },
      label: rerun ? "rerun" : "baseline",
    }),
  });
}

function scenarioInput({ folder, scenario, ...request }: ScenarioRequest) {
  return { folder, ...assistantInput(request), scenario: writeScenario(scenario) };
}

export function assistantInput({
  assistantUrl,
  assistantName,
}: Pick<RunRequest, "assistantUrl" | "assistantName">) {
  return { assistantUrl, ...defined({ assistantName }) };
}

export function userInput(pack: Pack, { userModel }: Pick<PackParts, "userModel">) {
  return hasUser(pack) ? { userModel } : {};
}

/** Whether a model plays a user in it. */
export function hasUser({ scenarios }: Pack): boolean {
  return scenarios.some(({ user }) => user !== undefined);
}

/** A rerun must ask the question of its baseline; an earlier rerun is moved to the archive. */
async function prepareRerun(
  parts: PackParts,
  request: RunRequest,
  specHash: string,
): Promise<AssistantChange | undefined> {
  const { folders } = parts;
  const { folder } = request;
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
  const change = await changeSince(parts, present.runId, request);
  const names = (await folders.names(folder)).filter((name) => name.startsWith("rerun_"));
  for (const name of names) await folders.move(folder, name, `reruns/${present.runId}/${name}`);
  return change;
}

/** Refuses another assistant than that of an earlier run, unless a person vouches for it. */
export async function changeSince(
  { load }: Pick<PackParts, "load">,
  earlier: string,
  { assistantUrl: url, assistantName: name, assistantChange }: RunRequest,
): Promise<AssistantChange | undefined> {
  const record = await load(runId(earlier));
  const before = record && assistantOfJob(record.job.input);
  return requireSameAssistant(before, { url, ...defined({ name }) }, assistantChange);
}

/** An assistant that keeps no conversation cannot be asked a question that needs one. */
export function refuseChains(pack: Pack, { sessions }: Pick<RunRequest, "sessions">): void {
  const chained = sessions === "none" ? chainedSteps(pack) : [];
  const [first, ...others] = chained;
  if (first === undefined) return;
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  throw new ConfigurationError(
    `The assistant keeps no conversation, so each question stands alone; ${first}${more} depends on earlier ones.`,
    {
      code: "no-session",
      facts: { steps: chained },
      hint: "Send {{messages}} or {{session_id}} in scenarios.assistant.message.body, or ask without depends_on, carry-over and placeholders of earlier steps.",
    },
  );
}

/** What proves that two runs asked the same: the pack with its scenarios and bindings, whatever its layout. */
export function specHashOf(pack: Pack, digest: (text: string) => string): string {
  return digest(canonicalJson(writePack(pack)));
}

export function startOf({ folder, fresh, run, budget }: RunRequest) {
  return { folder, ...defined({ fresh, run, budget }) };
}
