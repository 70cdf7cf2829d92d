import { randomUUID } from "node:crypto";
import type { SettingFlags } from "../../contract/config/setting-table.ts";
import type { DraftEvent } from "../../domain/drafting/events.ts";
import type { PanelRule } from "../../domain/drafting/panel.ts";
import type { Recipe } from "../../domain/drafting/recipe.ts";
import { type DraftSession, succeeded } from "../../domain/drafting/session.ts";
import { defined } from "../../domain/values/defined.ts";
import {
  AgentError,
  ApprovalTimeoutError,
  ConfigurationError,
} from "../../domain/values/workflow-error.ts";
import { readDraftEvent } from "../../orchestration/drafting/draft-record.ts";
import { loadSession } from "../../orchestration/drafting/load-session.ts";
import type { AskedDraft } from "../../orchestration/drafting/plan-draft.ts";
import { startDraft } from "../../orchestration/drafting/start-draft.ts";
import { isBudget } from "../../orchestration/runs/budget-of.ts";
import type { Budget } from "../../ports/flow.ts";
import type { Happening } from "../../ports/observer.ts";
import { requireUsable } from "../models/check-models.ts";
import { createRunnerFor } from "../models/runners.ts";
import { openProject } from "../project/project.ts";
import { findProjectRoot } from "../project/project-root.ts";
import { clockOf } from "../project/system-clock.ts";
import { readEnvironment } from "../settings/environment.ts";
import { frozenSettings } from "../settings/frozen-settings.ts";
import { inProject, prepareDraft } from "./prepare-draft.ts";

/** What to draft and how; absent options come from the recipe, the settings or the environment. */
export interface RunDraftOptions {
  /** What to write about, 1 to 1000 code points. */
  readonly brief: string;
  /** Id of a recipe, or a whole one. Default: `slogan`. */
  readonly recipe?: string | Recipe;
  /** The models that write and review; default: the environment or the project's files. Scripts: `script:<path>`. */
  readonly models?: { readonly writer?: string; readonly reviewer?: string };
  /** A panel; takes the place of `models.reviewer`. */
  readonly reviewers?: readonly { readonly label: string; readonly model?: string }[];
  readonly panelRule?: PanelRule;
  readonly maxTurns?: number;
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
  /** Let the project's settings run programs and send keys. */
  readonly trust?: boolean;
  readonly candidates?: number;
  readonly seed?: number;
  readonly approval?: "phrase" | "structured";
  readonly earlyStop?: boolean;
  readonly budget?: Budget;
  /** Folder of the project that keeps the record. Default: found upward from the working directory. */
  readonly directory?: string;
  /** Keep nothing: for tests and experiments. */
  readonly inMemory?: boolean;
  /** Do not resume an unfinished run of the same input. */
  readonly fresh?: boolean;
  /** Aborting interrupts the run; it can be resumed. */
  readonly signal?: AbortSignal;
  /** If it throws, the run is interrupted, can be resumed, and `runDraft` throws the same error. */
  readonly onEvent?: (event: DraftEvent) => void;
}

/**
 * Runs one drafting loop to its end and returns the session; see `completionReason` for how it ended. An unfinished run
 * of the same input is resumed, and no model is asked twice. Throws `ConfigurationError` for an invalid request; if a
 * model cannot be reached, the session ends in `error`.
 */
export async function runDraft(options: RunDraftOptions): Promise<DraftSession> {
  const environment = readEnvironment();
  const root = options.directory ?? findProjectRoot(process.cwd(), environment.home);
  const flags = flagsOf(options, root);
  const { loadProjectSettings } = await import("../settings/settings.ts");
  const loaded = await loadProjectSettings({
    root,
    environment,
    flags,
    trust: options.trust ?? false,
  });
  const { settings, redactor, guard } = loaded;
  if (options.budget !== undefined && !isBudget(options.budget)) throw wrongBudget(options.budget);
  const prepared = await prepareDraft({ root, settings, guard }, askedBy(options, root));
  const { input, budget } = prepared;
  const clock = clockOf(environment);
  const access = { settings, redactor, environment, guard: guard.allow };
  const runnerFor = createRunnerFor({ root, clock, access });
  await requireUsable(prepared, { settings, runnerFor, at: clock.now() });
  const { onEvent, inMemory, fresh, signal } = options;
  let thrown: { readonly error: unknown } | undefined;
  const notice = (happening: Happening): void => {
    if (onEvent === undefined || thrown !== undefined || happening.kind !== "event") return;
    const event = readDraftEvent(happening.event);
    if (event === undefined) return;
    try {
      onEvent(event);
    } catch (error) {
      thrown = { error };
      project.engine.interrupt("finish");
    }
  };
  const project = await openProject({
    root,
    environment,
    observer: { notice },
    loaded,
    ...defined({ inMemory }),
  });
  const interrupt = (): void => project.engine.interrupt("now");
  signal?.addEventListener("abort", interrupt, { once: true });
  try {
    signal?.throwIfAborted();
    const { run } = await startDraft(project, {
      input,
      newId: randomUUID,
      settings: frozenSettings(loaded),
      ...defined({ budget, fresh }),
    });
    await project.engine.ending(run, new AbortController().signal);
    if (thrown !== undefined) throw thrown.error;
    const session = (await loadSession(project.store, run))?.session;
    if (session === undefined)
      throw new AgentError("The loop did not start.", { code: "not-begun" });
    return session;
  } finally {
    signal?.removeEventListener("abort", interrupt);
    await project.close();
  }
}

function wrongBudget({ microUsd, tokens, seconds }: Budget): ConfigurationError {
  const given = { microUsd, tokens, seconds };
  return new ConfigurationError(`The budget ${JSON.stringify(given)} cannot be kept.`, {
    code: "request-invalid",
    hint: "microUsd and tokens are whole numbers from 1, seconds a number above 0.",
  });
}

/** Like `runDraft`, for callers who want an approved text or an exception. */
export async function runDraftUntilApproved(options: RunDraftOptions): Promise<DraftSession> {
  const session = await runDraft(options);
  if (succeeded(session)) return session;
  const reason = session.completionReason ?? "waiting";
  throw new ApprovalTimeoutError(`The draft was not approved: ${reason}.`, {
    code: "not-approved",
    facts: { run_id: session.runId, completion_reason: reason },
  });
}

function flagsOf(options: RunDraftOptions, root: string): SettingFlags {
  const { models = {}, maxTurns, temperature, maxTokens, baseUrl } = options;
  const { timeoutSeconds: timeout, totalTimeoutSeconds: totalTimeout, attempts: retries } = options;
  const named = (model: string | undefined) => model && inProject(model, root);
  return defined({
    model: named(models.writer),
    reviewerModel: named(models.reviewer),
    ...{ maxTurns, temperature, maxTokens, timeout, totalTimeout, retries, baseUrl },
  });
}

function askedBy(options: RunDraftOptions, root: string): AskedDraft {
  const { brief, recipe, candidates, seed, approval, earlyStop, panelRule, budget } = options;
  const reviewers = options.reviewers?.map(({ label, model }) => ({
    label,
    ...defined({ model: model && inProject(model, root) }),
  }));
  return {
    brief,
    ...defined({ recipe, reviewers, panelRule, candidates, seed, approval, earlyStop, budget }),
  };
}
