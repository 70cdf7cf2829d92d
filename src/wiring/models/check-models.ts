import { parseModelName } from "../../domain/models/model-name.ts";
import { costOf } from "../../domain/models/price.ts";
import { findOffered, type ModelAliases, sameModel } from "../../domain/models/same-model.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { Instant } from "../../domain/values/instant.ts";
import {
  ConfigurationError,
  ModelNotFoundError,
  WorkflowError,
} from "../../domain/values/workflow-error.ts";
import type { Budget } from "../../ports/flow.ts";
import type { RunnerFor } from "../../ports/runner.ts";
import { priceList } from "./prices.ts";

const listSeconds = 5;
const mostNamed = 20;

/** Refuses models that cannot be asked, or whose unknown price a budget needs, before anything is spent. */
export async function requireUsable(
  { models, budget = {} }: { readonly models: readonly string[]; readonly budget?: Budget },
  by: { readonly settings: Settings; readonly at: Instant; readonly runnerFor: RunnerFor },
): Promise<void> {
  requirePrices(budget, models, by);
  await requireOffered(by.runnerFor, models, by.settings.aliases);
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
    const offered = await offeredBy(runner.models);
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

/** `undefined`: the provider has no list, or cannot be asked for it now. */
async function offeredBy(
  list: ((signal: AbortSignal) => Promise<readonly string[]>) | undefined,
): Promise<readonly string[] | undefined> {
  try {
    return await list?.(AbortSignal.timeout(listSeconds * 1_000));
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
      ? `Get it with \`ollama pull ${model.slice("ollama/".length)}\`, or name another with --model.`
      : "Name another with --model; `signoff models` shows them all.",
  });
}
