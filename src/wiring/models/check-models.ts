import { parseModelName } from "../../domain/models/model-name.ts";
import { costOf } from "../../domain/models/price.ts";
import { findOffered, type ModelAliases, sameModel } from "../../domain/models/same-model.ts";
import { shippedWindow } from "../../domain/models/shipped-windows.ts";
import { estimateTokens } from "../../domain/models/token-estimate.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { Instant } from "../../domain/values/instant.ts";
import {
  ConfigurationError,
  ModelNotFoundError,
  WorkflowError,
} from "../../domain/values/workflow-error.ts";
import type { PromptNeed } from "../../orchestration/drafting/prompt-needs.ts";
import type { Budget } from "../../ports/flow.ts";
import type { RunnerFor } from "../../ports/runner.ts";
import { priceList } from "./prices.ts";

const listSeconds = 5;
const mostNamed = 20;

/** Refuses models that cannot be asked, or whose unknown price a budget needs, before anything is spent. */
export async function requireUsable(
  { models, budget = {}, prompts = [] }: Wanted,
  by: { readonly settings: Settings; readonly at: Instant; readonly runnerFor: RunnerFor },
): Promise<void> {
  requirePrices(budget, models, by);
  await requireOffered(by.runnerFor, models, by.settings.aliases);
  await requireRoom(prompts, by.runnerFor, by.settings.aliases);
}

interface Wanted {
  readonly models: readonly string[];
  readonly budget?: Budget;
  readonly prompts?: readonly PromptNeed[];
}

/** A prompt of this size fits every model in use, so its window is not looked up. */
const alwaysFits = 4_000;

/**
 * Refuses a prompt that is longer than the model can read even by the most generous estimate: by what its provider says,
 * else by what was published. Where neither is known, the provider refuses such a prompt itself, unpaid.
 */
async function requireRoom(
  prompts: readonly PromptNeed[],
  runnerFor: RunnerFor,
  aliases: ModelAliases,
): Promise<void> {
  for (const { model, bytes, replyTokens } of prompts) {
    if (bytes <= alwaysFits) continue;
    const { runner } = await runnerFor(model);
    const said = await answered(runner.window && ((signal) => runner.window?.(model, signal)));
    const window = said ?? shippedWindow(model, aliases);
    const { fewest } = estimateTokens(bytes);
    if (window === undefined || fewest + replyTokens <= window) continue;
    const number = (value: number) => value.toLocaleString("en-US");
    throw new ConfigurationError(
      `The prompt has ${number(bytes)} bytes, at least ${number(fewest)} tokens, and its reply may take ${number(replyTokens)}; ${model} has room for ${number(window)} tokens in all.`,
      {
        code: "prompt-too-long",
        facts: { model, bytes, tokens: fewest, reply_tokens: replyTokens, window },
        hint: "Shorten the brief, the material or the text, or name a model with a larger window. Nothing was asked.",
      },
    );
  }
}

/**
 * Refuses what cannot work before anything is generated: an untrusted model, a missing key, a name that the provider
 * does not offer. An unreachable provider is no reason to refuse: the run itself asks, retries, and can be resumed.
 */
export async function requireOffered(
  runnerFor: RunnerFor,
  models: readonly string[],
  aliases: ModelAliases,
): Promise<void> {
  for (const model of new Set(models)) {
    const { runner } = await runnerFor(model);
    const offered = await answered(runner.models);
    if (offered !== undefined && !isOffered(model, offered, aliases)) throw missing(model, offered);
  }
}

/** A budget in dollars cannot be kept if a price is unknown, so it is refused before anything is spent. */
export function requirePrices(
  { microUsd }: Budget,
  models: readonly string[],
  { settings, at }: { readonly settings: Settings; readonly at: Instant },
): void {
  if (microUsd === undefined) return;
  const list = { ...priceList(settings), at };
  const unpriced = [...new Set(models)].filter(
    (model) => costOf(parseModelName(model), { input: 0, output: 0 }, list) === undefined,
  );
  if (unpriced.length === 0) return;
  throw new ConfigurationError(
    `A budget in dollars needs the price of ${unpriced.join(" and ")}, which is unknown.`,
    {
      code: "price-unknown",
      facts: { models: unpriced, setting: "prices" },
      hint: "Add it under prices in signoff.yaml (micro-dollars per million tokens), or give the budget in tokens or seconds.",
    },
  );
}

/** `undefined`: the provider does not say, or cannot be asked now. */
async function answered<T>(
  ask: ((signal: AbortSignal) => Promise<T> | undefined) | undefined,
): Promise<T | undefined> {
  try {
    return await ask?.(AbortSignal.timeout(listSeconds * 1_000));
  } catch (error) {
    if (error instanceof WorkflowError && error.code === "unauthorized") throw error;
    return undefined;
  }
}

/** Hosted providers list dated names and accept short ones; with Ollama a different tag is a different model. */
function isOffered(model: string, offered: readonly string[], aliases: ModelAliases): boolean {
  if (findOffered(model, offered, aliases) !== undefined) return true;
  if (parseModelName(model).provider === "ollama") return false;
  return offered.some((name) => sameModel(model, name, aliases));
}

function missing(model: string, offered: readonly string[]): ModelNotFoundError {
  const named = offered.slice(0, mostNamed).join(", ");
  const more = offered.length > mostNamed ? ` and ${offered.length - mostNamed} more` : "";
  const isOllama = parseModelName(model).provider === "ollama";
  const has = offered.length === 0 ? "None is installed." : `Available: ${named}${more}.`;
  return new ModelNotFoundError(`There is no model ${model}. ${has}`, {
    code: "model-not-found",
    facts: { model, installed: offered },
    hint: isOllama
      ? `Get it with \`ollama pull ${model.slice("ollama/".length)}\`, or choose another model.`
      : "Choose another; `signoff models` shows them all.",
  });
}
