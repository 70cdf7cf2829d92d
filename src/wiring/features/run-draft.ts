import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { SettingFlags } from "../../contract/config/setting-table.ts";
import type { Material } from "../../domain/drafting/draft-input.ts";
import type { DraftEvent } from "../../domain/drafting/events.ts";
import { type PanelRule, panelRules } from "../../domain/drafting/panel.ts";
import type { Recipe } from "../../domain/drafting/recipe.ts";
import { type DraftSession, succeeded } from "../../domain/drafting/session.ts";
import { defined } from "../../domain/values/defined.ts";
import {
  AgentError,
  ApprovalTimeoutError,
  ConfigurationError,
  WorkflowError,
} from "../../domain/values/workflow-error.ts";
import { readDraftEvent } from "../../orchestration/drafting/draft-record.ts";
import { loadSession } from "../../orchestration/drafting/load-session.ts";
import type { AskedDraft } from "../../orchestration/drafting/plan-draft.ts";
import { startDraft } from "../../orchestration/drafting/start-draft.ts";
import { isBudget } from "../../orchestration/runs/budget-of.ts";
import type { Budget } from "../../ports/flow.ts";
import type { Happening, Observer } from "../../ports/observer.ts";
import { requireUsable } from "../models/check-models.ts";
import type { ModelChoice, OwnModels } from "../models/own-models.ts";
import { clockOf } from "../project/system-clock.ts";
import { frozenSettings } from "../settings/frozen-settings.ts";
import {
  budgetOption,
  flagOption,
  modelOption,
  numberOption,
  type OptionShapes,
  objectOption,
  placeOptions,
  requireOptions,
  textOption,
} from "./job-options.ts";
import { inProject, type JobPlace, placeOf } from "./job-place.ts";
import { modelInProject, prepareDraft } from "./prepare-draft.ts";

/** What both kinds of jobs take; absent options come from the recipe, the settings or the environment. */
interface JobOptions extends JobPlace {
  /** Material that the writer may use and the reviewers check against. */
  readonly context?: readonly Material[];
  /** Id of a recipe, or a whole one. Default: `slogan`. */
  readonly recipe?: string | Recipe;
  /** A panel; takes the place of the one reviewer. */
  readonly reviewers?: readonly { readonly label: string; readonly model?: ModelChoice }[];
  readonly panelRule?: PanelRule;
  /** Of both roles. */
  readonly temperature?: number;
  /** Visible text of a reply. */
  readonly maxTokens?: number;
  /** Longest time without a token. */
  readonly timeoutSeconds?: number;
  /** Longest time for one reply. */
  readonly totalTimeoutSeconds?: number;
  /** Attempts of one call, the first included. */
  readonly attempts?: number;
  /** Address of Ollama. */
  readonly baseUrl?: string;
  readonly seed?: number;
  readonly approval?: "phrase" | "structured";
  readonly budget?: Budget;
  /** Keep nothing: for tests and experiments. */
  readonly inMemory?: boolean;
  /** Do not resume an unfinished run of the same input. */
  readonly fresh?: boolean;
  /** If it throws, the run is interrupted, can be resumed, and `runDraft` throws the same error. */
  readonly onEvent?: (event: DraftEvent) => void;
}

/** What to draft and how. */
export interface RunDraftOptions extends JobOptions {
  /** What to write about; may be left out with `from`. How long it may be depends on the model's window. */
  readonly brief?: string;
  /** A text of your own to start from: it is reviewed first, and written on only if it must be. */
  readonly from?: string;
  /** The models that write and review; default: the environment or the project's files. Scripts: `script:<path>`. */
  readonly models?: { readonly writer?: ModelChoice; readonly reviewer?: ModelChoice };
  readonly maxTurns?: number;
  readonly candidates?: number;
  readonly earlyStop?: boolean;
}

/** What to review and how. */
export interface ReviewTextOptions extends JobOptions {
  readonly text: string;
  /** What the text should be about; default: it is judged by the recipe alone. */
  readonly brief?: string;
  /** The model that reviews; default: the environment or the project's files. */
  readonly model?: ModelChoice;
}

type Options = RunDraftOptions & { readonly reviewOnly?: true };

const sharedOptions: OptionShapes<JobOptions> = {
  ...placeOptions,
  context: z.array(z.strictObject({ name: textOption, text: textOption })),
  recipe: z.union([textOption, objectOption]),
  reviewers: z.array(z.strictObject({ label: textOption, model: modelOption.optional() })),
  panelRule: z.enum(panelRules),
  temperature: numberOption,
  maxTokens: numberOption,
  timeoutSeconds: numberOption,
  totalTimeoutSeconds: numberOption,
  attempts: numberOption,
  baseUrl: textOption,
  seed: numberOption,
  approval: z.enum(["phrase", "structured"]),
  budget: budgetOption,
  inMemory: flagOption,
  fresh: flagOption,
  onEvent: z.custom((value) => typeof value === "function", "must be a function"),
};

const draftOptions: OptionShapes<RunDraftOptions> = {
  ...sharedOptions,
  brief: textOption,
  from: textOption,
  models: z.strictObject({ writer: modelOption, reviewer: modelOption }).partial(),
  maxTurns: numberOption,
  candidates: numberOption,
  earlyStop: flagOption,
};

const reviewOptions: OptionShapes<ReviewTextOptions> = {
  ...sharedOptions,
  text: textOption,
  brief: textOption,
  model: modelOption,
};

/**
 * Runs one drafting loop to its end and returns the session; see `completionReason` for how it ended. An unfinished run
 * of the same input is resumed, and no model is asked twice. Throws `ConfigurationError` for an invalid request; if a
 * model cannot be reached, the session ends in `error`.
 */
export async function runDraft(options: RunDraftOptions = {}): Promise<DraftSession> {
  requireOptions("runDraft", draftOptions, options);
  return (await run(options)).session;
}

/** Reviews a text once and writes nothing: `succeeded(session)` if the reviewers approve it as it is. */
export async function reviewText(options: ReviewTextOptions): Promise<DraftSession> {
  requireOptions("reviewText", reviewOptions, options, "text");
  const { text, model, ...rest } = options;
  const models = model === undefined ? {} : { models: { writer: model, reviewer: model } };
  return (await run({ ...rest, ...models, from: text, reviewOnly: true })).session;
}

interface Ended {
  readonly session: DraftSession;
  /** What made the run fail; the session keeps only its message. */
  readonly cause?: unknown;
}

async function run(options: Options): Promise<Ended> {
  const place = await placeOf(options, { flags: (own, root) => flagsOf(options, { root, own }) });
  const { own, root, environment, loaded, runnerFor } = place;
  const { settings, guard } = loaded;
  if (options.budget !== undefined && !isBudget(options.budget)) throw wrongBudget(options.budget);
  const at = { root, settings, guard, isUnattended: true };
  const prepared = await prepareDraft(at, askedBy(options, { root, own }));
  await requireUsable(prepared, { settings, runnerFor, at: clockOf(environment).now() });
  const watched = new Watched(options.onEvent);
  const { inMemory = false, store, fresh } = options;
  const keepsFiles = !inMemory && store === undefined;
  const { input, budget } = prepared;
  const start = { input, newId: randomUUID, settings: frozenSettings(loaded) };
  return inProject(
    place,
    options,
    async (project) => {
      watched.onThrown = () => project.engine.interrupt("finish");
      const { run } = await startDraft(project, { ...start, ...defined({ budget, fresh }) });
      await project.engine.ending(run, new AbortController().signal);
      if (watched.thrown !== undefined) throw watched.thrown.error;
      const session = (await loadSession(project.store, run))?.session;
      if (session === undefined)
        throw new AgentError("The loop did not start.", { code: "not-begun" });
      return { session, cause: watched.cause };
    },
    { inMemory, keepsFiles, observer: watched },
  );
}

/** Passes a run's events on, and keeps what went wrong. */
class Watched implements Observer {
  thrown: { readonly error: unknown } | undefined;
  cause: unknown;
  onThrown: () => void = () => undefined;
  readonly #onEvent: ((event: DraftEvent) => void) | undefined;

  constructor(onEvent: ((event: DraftEvent) => void) | undefined) {
    this.#onEvent = onEvent;
  }

  notice(happening: Happening): void {
    if (happening.kind === "run-ended") this.cause = happening.cause;
    if (this.#onEvent === undefined || this.thrown !== undefined) return;
    const event = happening.kind === "event" ? readDraftEvent(happening.event) : undefined;
    if (event === undefined) return;
    try {
      this.#onEvent(event);
    } catch (error) {
      this.thrown = { error };
      this.onThrown();
    }
  }
}

function wrongBudget({ microUsd, tokens, seconds }: Budget): ConfigurationError {
  const given = { microUsd, tokens, seconds };
  return new ConfigurationError(`The budget ${JSON.stringify(given)} cannot be kept.`, {
    code: "request-invalid",
    hint: "microUsd and tokens are whole numbers from 1, seconds a number above 0.",
  });
}

/**
 * Like `runDraft`, for callers who want an approved text or an exception: `ApprovalTimeoutError` when the loop ended
 * without approval, `AgentError` when a model could not be asked, `WorkflowError` when the run was stopped.
 */
export async function runDraftUntilApproved(options: RunDraftOptions = {}): Promise<DraftSession> {
  requireOptions("runDraftUntilApproved", draftOptions, options);
  const { session, cause } = await run(options);
  if (succeeded(session)) return session;
  const { completionReason: reason = "waiting", error } = session;
  const facts = { run_id: session.runId, completion_reason: reason };
  switch (reason) {
    case "error":
      throw new AgentError(error?.message ?? "The run failed.", {
        ...{ code: error?.code ?? "run-failed", facts, cause },
        hint: "Call it again to resume the run.",
      });
    case "budget":
    case "cancelled":
    case "interrupted":
    case "waiting":
      throw new WorkflowError(`The draft was not decided: ${reason}.`, { code: reason, facts });
    default:
      throw new ApprovalTimeoutError(`The draft was not approved: ${reason}.`, {
        ...{ code: "not-approved", facts },
      });
  }
}

interface Naming {
  readonly root: string;
  readonly own: OwnModels;
}

function flagsOf(options: Options, { root, own }: Naming): SettingFlags {
  const { models = {}, maxTurns, temperature, maxTokens, baseUrl } = options;
  const { timeoutSeconds: timeout, totalTimeoutSeconds: totalTimeout, attempts: retries } = options;
  const named = (model: ModelChoice | undefined, role: string) =>
    model === undefined ? undefined : modelInProject(own.nameOf(model, role), root);
  return defined({
    model: named(models.writer, "writer"),
    reviewerModel: named(models.reviewer, "reviewer"),
    ...{ maxTurns, temperature, maxTokens, timeout, totalTimeout, retries, baseUrl },
  });
}

function askedBy(options: Options, { root, own }: Naming): AskedDraft {
  const { brief, recipe, candidates, seed, approval, earlyStop, panelRule, budget } = options;
  const { context, from, reviewOnly } = options;
  const reviewers = options.reviewers?.map(({ label, model }) => ({
    label,
    ...(model === undefined ? {} : { model: modelInProject(own.nameOf(model, label), root) }),
  }));
  const given = from === undefined ? {} : { own: { text: from, by: caller } };
  return {
    ...given,
    ...defined({ brief, recipe, reviewers, panelRule, candidates, seed, approval, earlyStop }),
    ...defined({ budget, context, reviewOnly }),
  };
}

/** Who gives the texts of a program's own. */
const caller = "the calling program";
