import { compatiblePresets } from "../../domain/models/compatible-presets.ts";
import { parseModelName } from "../../domain/models/model-name.ts";
import { costOf, type TokenCount } from "../../domain/models/price.ts";
import { shippedPrices } from "../../domain/models/shipped-prices.ts";
import type { CompatibleServer } from "../../domain/settings/project-config.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { Instant } from "../../domain/values/instant.ts";
import { WorkflowError } from "../../domain/values/workflow-error.ts";

interface Range {
  readonly low: number;
  readonly high: number;
}

export interface ModelPrices {
  /** Micro-dollars; `undefined` if the price is unknown, which is not the same as 0. */
  readonly cost: (model: string, tokens: TokenCount) => number | undefined;
  /** For a plan whose calls may go to any of these models: its cost with the cheapest and the most expensive one. */
  readonly range: (
    models: readonly string[],
    plan: { readonly inputTokens: Range; readonly outputTokens: Range },
  ) => Range | undefined;
}

/** Own prices come before those that are shipped, whatever day they hold from. */
export function priceList({ prices, aliases, compatible }: Settings) {
  const servers = { ...compatiblePresets, ...compatible };
  const localServers = Object.keys(servers).filter((name) => isLocal(servers[name]));
  return { prices, shipped: shippedPrices, aliases, localServers };
}

/** A server that wants a key may pass requests on to a paid service, also if it runs here. */
function isLocal(server: CompatibleServer | undefined): boolean {
  if (server === undefined || server.apiKeyEnv !== undefined) return false;
  return /^https?:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?:[:/]|$)/u.test(server.baseUrl);
}

/** What models cost on this day, by the settings. */
export function modelPrices(settings: Settings, at: Instant): ModelPrices {
  const cost = (model: string, tokens: TokenCount): number | undefined => {
    const name = knownName(model);
    return name && costOf(name, tokens, { ...priceList(settings), at });
  };
  return {
    cost,
    range: (models, { inputTokens, outputTokens }) => {
      const at = (end: keyof Range) =>
        models.map((model) => cost(model, { input: inputTokens[end], output: outputTokens[end] }));
      const [low, high] = [at("low"), at("high")].map((costs) => costs.filter(isKnown));
      if (low === undefined || high === undefined || high.length < models.length) return undefined;
      return { low: Math.min(...low), high: Math.max(...high) };
    },
  };
}

/** Reviews may be filed under names that are not models. */
function knownName(model: string) {
  try {
    return parseModelName(model);
  } catch (error) {
    if (error instanceof WorkflowError) return undefined;
    throw error;
  }
}

function isKnown(cost: number | undefined): cost is number {
  return cost !== undefined;
}
