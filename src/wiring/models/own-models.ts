import type { LanguageModelV4 } from "@ai-sdk/provider";
import { redactedRunner } from "../../adapters/runners/redacted-runner.ts";
import type { Redactor } from "../../domain/settings/redactor.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { defined } from "../../domain/values/defined.ts";
import {
  ConfigurationError,
  RunnerError,
  WorkflowError,
} from "../../domain/values/workflow-error.ts";
import type { Clock } from "../../ports/clock.ts";
import type { AskRequest, ResolvedRunner, Runner, RunnerFor } from "../../ports/runner.ts";

/** Answers one question. The signal aborts when the answer is no longer wanted. */
export type ModelFunction = (request: AskRequest, signal: AbortSignal) => string | Promise<string>;

/** A model of the AI SDK (`LanguageModelV4`), as far as it is used here. */
export interface SdkModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  doStream(options: never): PromiseLike<unknown>;
}

/** A model by its name, as a function, as a model of the AI SDK, or as a runner of one's own. */
export type ModelChoice = string | ModelFunction | SdkModel | Runner;

interface OwnParts {
  readonly clock: Pick<Clock, "now">;
  readonly settings: Settings;
  readonly redactor: Redactor;
}

const prefix = "own/";

/**
 * Models that the caller brings. Each gets a name that is frozen with the run; resuming the run needs the same models
 * again, under the same names.
 */
export class OwnModels {
  readonly #models = new Map<string, Exclude<ModelChoice, string>>();

  /** The name by which runs know this model. */
  nameOf(choice: ModelChoice, role: string): string {
    if (typeof choice === "string") return choice;
    if (typeof choice !== "function" && isSdkModel(choice)) requireVersion(choice);
    const wanted = `${prefix}${titleOf(choice, role)}`;
    for (let count = 1; ; count += 1) {
      const name = count === 1 ? wanted : `${wanted}-${count}`;
      const known = this.#models.get(name);
      if (known !== undefined && known !== choice) continue;
      this.#models.set(name, choice);
      return name;
    }
  }

  /** Finds the caller's models, and all others where they usually are. */
  runnersWith(others: RunnerFor, parts: OwnParts): RunnerFor {
    return async (model, frozen) => {
      const own = this.#models.get(model);
      return own === undefined ? others(model, frozen) : resolved(model, own, parts);
    };
  }
}

function titleOf(choice: Exclude<ModelChoice, string>, role: string): string {
  if (typeof choice === "function") return choice.name.trim() || role;
  return isSdkModel(choice) ? `${choice.provider}/${choice.modelId}` : role;
}

function isSdkModel(choice: SdkModel | Runner): choice is SdkModel {
  return "doStream" in choice;
}

function requireVersion({ specificationVersion: version, modelId }: SdkModel): void {
  if (version === "v4") return;
  throw new ConfigurationError(`${modelId} is a model of version ${version} of the AI SDK.`, {
    code: "bad-model",
    facts: { model: modelId, version },
    hint: "Version v4 is needed: use a provider package of the AI SDK 7, or give a function.",
  });
}

async function resolved(
  name: string,
  choice: Exclude<ModelChoice, string>,
  { clock, settings, redactor }: OwnParts,
): Promise<ResolvedRunner> {
  const { idleSeconds, totalSeconds } = settings;
  const totalMs = totalSeconds === undefined ? undefined : totalSeconds * 1_000;
  const about = { provider: name, price: () => undefined, ...defined({ totalMs }) };
  if (typeof choice === "function") return { ...about, runner: functionRunner(choice, clock) };
  if (!isSdkModel(choice)) return { ...about, runner: choice };
  const { createLanguageModelRunner } = await import(
    "../../adapters/runners/model-api/language-model-runner.ts"
  );
  const model = choice as unknown as LanguageModelV4;
  const runner = redactedRunner(createLanguageModelRunner(model, clock), redactor);
  return { ...about, runner, idleMs: idleSeconds * 1_000 };
}

function functionRunner(answer: ModelFunction, clock: Pick<Clock, "now">): Runner {
  return {
    async attempt(request, signal) {
      const startedAt = clock.now();
      const text = await called(answer, request, signal);
      const times = { startedAt, finishedAt: clock.now() };
      const reply = { text, model: request.model, finish: "complete", ...times } as const;
      return { kind: "replied", reply };
    },
  };
}

async function called(
  answer: ModelFunction,
  request: AskRequest,
  signal: AbortSignal,
): Promise<string> {
  let text: unknown;
  try {
    text = await answer(request, signal);
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof WorkflowError) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new RunnerError(`The function ${request.model} failed: ${why}`, {
      code: "own-model-failed",
      facts: { model: request.model },
      cause,
    });
  }
  signal.throwIfAborted();
  if (typeof text === "string") return text;
  throw new RunnerError(`The function ${request.model} returned ${typeof text}, not a text.`, {
    ...{ code: "bad-reply", facts: { model: request.model } },
  });
}
