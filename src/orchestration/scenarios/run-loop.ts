import { type RunInput, readRunInput, writeRunInput } from "../../contract/scenarios/run-inputs.ts";
import { writePack } from "../../contract/scenarios/write-manifest.ts";
import type { RepairMode } from "../../domain/scenarios/pack-loop.ts";
import { counted } from "../../domain/values/counted.ts";
import { defined } from "../../domain/values/defined.ts";
import { runId } from "../../domain/values/ids.ts";
import { shellWord } from "../../domain/values/shell-word.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { CoderProgram } from "../../ports/coder.ts";
import { findArtifact } from "./artifact-files.ts";
import { checkQuestions, questionFiles, refuseWeakQuestions } from "./check-questions.ts";
import { chooseQuestions, saidBefore } from "./choose-questions.ts";
import { affordableReplays } from "./question-budget.ts";
import {
  assistantInput,
  changeSince,
  hasUser,
  type PackParts,
  type PackRunRequest,
  refuseChains,
  specHashOf,
  startOf,
  userInput,
} from "./run-pack.ts";
import { inspectFolder, type StartedRun, startRun, unfinishedRun } from "./start-run.ts";

export interface LoopRequest extends PackRunRequest {
  readonly analystModel: string;
  readonly standIn: boolean;
  /** Several analysts in place of the one. */
  readonly analysts?: NonNullable<RunInput<"pack-loop">["analysts"]>;
  readonly targetScore: number;
  readonly maxIterations: number;
  readonly repairMode: RepairMode;
  readonly coder?: Pick<CoderProgram, "argv"> & Partial<CoderProgram>;
  readonly validationCommand: string;
  /** What the analyst holds the run against beside the pack. */
  readonly contract?: string;
  /** Where the loop is whose failures are asked again; default: the folder itself. */
  readonly earlierFolder?: string;
  /** What people decided before, with their comments. */
  readonly decisions?: readonly string[];
  /** The answer to the question that an unfinished loop waits for. */
  readonly decision?: { readonly choice: string; readonly by: string; readonly comment?: string };
}

/**
 * Starts a loop, resumes an unfinished one, or plays the next iteration of one that was handed over. All its iterations
 * count against the limit.
 */
export async function startLoopRun(parts: PackParts, request: LoopRequest): Promise<StartedRun> {
  const { pack: whole, folder, repeat, analystModel, standIn, choice = {} } = request;
  const { targetScore, repairMode, coder, validationCommand } = request;
  const review = checkQuestions(whole, folder, parts.questions);
  if (!request.skipQuestionReview) refuseWeakQuestions(review);
  const { pack, selection } = await chooseQuestions(parts, {
    ...{ pack: whole, choice, specHash: specHashOf(whole, parts.digest) },
    folder: request.earlierFolder ?? folder,
  });
  refuseChains(pack, request);
  const maxIterations = Math.min(request.maxIterations, affordableReplays(pack, request));
  const specHash = specHashOf(pack, parts.digest);
  const { previous, decisions, assistantChanged, said } = await startedFrom(
    parts,
    request,
    specHash,
  );
  if (previous.length >= maxIterations) {
    const more = moreOf(request, previous.length + 1);
    throw new ConfigurationError(
      `The loop in ${folder} has used its limit of ${counted(maxIterations, "iteration")}.`,
      {
        code: "iterations-used-up",
        facts: { used: previous.length, max_iterations: maxIterations },
        hint: `${more}, or start over with --new.`,
      },
    );
  }
  await answerDecision(parts, request);
  const coderInput = defined({
    coder: coder?.argv,
    coderTimeoutMs: coder?.timeoutMs,
    coderReads: coder?.reads,
  });
  const started = await startRun(parts, {
    ...startOf(request),
    kind: "pack-loop",
    keepFolder: previous.length > 0,
    input: writeRunInput("pack-loop", {
      ...{ folder, pack: writePack(pack), specHash, repeat },
      ...assistantInput(request),
      ...defined({ assistantChanged, selection, said }),
      ...userInput(pack, parts),
      ...{ fileHints: parts.fileHints, analystModel, standIn, targetScore, maxIterations },
      ...defined({ analysts: request.analysts, decisions, contract: request.contract }),
      ...{ repairMode, ...coderInput, validationCommand, previous },
      ...defined({ checkLists: parts.checkLists }),
    }),
  });
  await parts.folders.write(folder, questionFiles(review, whole));
  return started;
}

/** The command that plays a loop again; `given` are further flags, whatever differs from their defaults. */
export function loopCommand(
  manifest: string,
  { assistantUrl, folder }: Pick<LoopRequest, "assistantUrl" | "folder">,
  given: { readonly [flag: `--${string}`]: string | number | undefined } = {},
): string {
  const flags = { "--manifest": manifest, "--assistant-url": assistantUrl, "--output-dir": folder };
  const words = Object.entries({ ...flags, ...given }).flatMap(([flag, value]) =>
    value === undefined ? [] : [`${flag} ${shellWord(String(value))}`],
  );
  return `signoff pack loop ${words.join(" ")}`;
}

/** Which of the two limits has to be raised. */
function moreOf({ maxIterations }: LoopRequest, wanted: number): string {
  return maxIterations < wanted
    ? `Give --max-iterations ${wanted} or more`
    : "Give more --max-questions";
}

/**
 * Iterations of a finished, unaccepted loop over the same pack; anything else begins at one. An unfinished loop goes on
 * with what it was started with.
 */
async function startedFrom(
  parts: PackParts,
  request: LoopRequest,
  specHash: string,
): Promise<Pick<RunInput<"pack-loop">, "previous" | "decisions" | "assistantChanged" | "said">> {
  const { folder, fresh, earlierFolder = folder } = request;
  const said = hasUser(request.pack) ? await saidBefore(parts, earlierFolder) : undefined;
  const decided = request.decisions?.length ? { decisions: request.decisions } : {};
  const given = { ...decided, ...defined({ said }) };
  const present = fresh === true ? undefined : await inspectFolder(parts.folders, folder);
  if (present?.kind !== "pack-loop" || present.specHash !== specHash) {
    return { previous: [], ...given };
  }
  const record = await unfinishedRun(parts, present.runId);
  if (record !== undefined) return readRunInput("pack-loop", record.job.input);
  const { iterations = [] } = (await findArtifact(parts.folders, folder, "loop_state.json")) ?? {};
  if (iterations.length === 0 || iterations.at(-1)?.accepted === true) {
    return { previous: [], ...given };
  }
  // A wrong address may be corrected: an assistant that never answered has said nothing.
  const wasHeard = iterations.some(({ status }) => status !== "blocked");
  const assistantChanged = wasHeard ? await changeSince(parts, present.runId, request) : undefined;
  return { previous: iterations, ...given, ...defined({ assistantChanged }) };
}

async function answerDecision(parts: PackParts, request: LoopRequest): Promise<void> {
  const { decision, folder } = request;
  if (decision === undefined) return;
  const present = await inspectFolder(parts.folders, folder);
  const record = present === undefined ? undefined : await parts.load(runId(present.runId));
  const open = record?.ending?.kind === "waiting" ? record.ending.decisions[0] : undefined;
  if (open === undefined) {
    throw new ConfigurationError(`No loop in ${folder} waits for a decision.`, {
      code: "nothing-to-decide",
      facts: { folder },
    });
  }
  const { choice, by, comment } = decision;
  const answer = { choice, by, at: parts.clock.now(), ...defined({ comment }) };
  await parts.answer(open, answer);
}
