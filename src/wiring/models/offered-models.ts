import { commandPresets } from "../../adapters/runners/command/command-presets.ts";
import { compatiblePresets } from "../../domain/models/compatible-presets.ts";
import { hostedProviderNames, hostedProviders } from "../../domain/models/hosted-providers.ts";
import { standInModel } from "../../domain/settings/choose-models.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { Json } from "../../domain/values/json.ts";
import type { RunnerFor } from "../../ports/runner.ts";
import type { Environment } from "../settings/environment.ts";
import type { TrustGuard } from "../settings/guard.ts";
import { isInstalled } from "./is-installed.ts";

/** What one provider offers, or why it cannot be asked. */
export interface Offer {
  readonly provider: string;
  readonly models: readonly string[];
  readonly problem?: string;
}

/** Lists of models may be asked for with the user's own keys; that is no permission for runs. */
export function allowListing(guard: TrustGuard): TrustGuard {
  const apart = guard.apart();
  apart.agreeToModels(hostedProviderNames.map((name) => `${name}/any`));
  return apart;
}

/** A closed port fails at once; the limit is for an address that never answers. */
const listSeconds = 5;

/** Everything that can be named with `--model`, provider by provider, each asked at the same time. */
export async function listOffers(
  runnerFor: RunnerFor,
  settings: Settings,
  environment: Environment,
): Promise<readonly Offer[]> {
  const hasKey = (name: string) => environment.secret(name) !== undefined;
  const asked = [
    "ollama",
    ...hostedProviderNames.filter((name) => hostedProviders[name].variables.some(hasKey)),
    ...Object.keys(settings.compatible).map((server) => `compatible/${server}`),
  ];
  const offers = await Promise.all(asked.map((provider) => offerOf(runnerFor, provider)));
  const presets = Object.keys(compatiblePresets).filter((name) => !(name in settings.compatible));
  const running = await Promise.all(
    presets.map((server) => offerOf(runnerFor, `compatible/${server}`)),
  );
  const own = Object.keys(settings.commands);
  const known = Object.keys(commandPresets).filter((name) => !own.includes(name));
  const missing: string[] = [];
  for (const name of known) {
    if (!(await isInstalled(name, { folder: ".", environment }))) missing.push(name);
  }
  const programs = [...known.filter((name) => !missing.includes(name)), ...own];
  return [
    { provider: "offline", models: [standInModel] },
    ...offers,
    ...running.filter(({ problem }) => problem === undefined),
    { provider: "command", models: programs.map((name) => `command/${name}`) },
    ...missing.map((name) => ({
      provider: `command/${name}`,
      models: [],
      problem: `The program ${name} was not found.`,
    })),
  ];
}

async function offerOf(runnerFor: RunnerFor, provider: string): Promise<Offer> {
  try {
    const { runner } = await runnerFor(`${provider}/any`);
    const models = await runner.models?.(AbortSignal.timeout(listSeconds * 1_000));
    return { provider, models: [...(models ?? [])].sort() };
  } catch (error) {
    return { provider, models: [], problem: problemOf(error) };
  }
}

function problemOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.name === "TimeoutError" ? `gave no answer within ${listSeconds} s` : error.message;
}

/** The models of a running Ollama; `undefined` if it does not answer. */
export async function probeOllama(runnerFor: RunnerFor): Promise<readonly string[] | undefined> {
  try {
    const { runner } = await runnerFor("ollama/any");
    return await runner.models?.(AbortSignal.timeout(listSeconds * 1_000));
  } catch {
    return undefined;
  }
}

export function offersToJson(offers: readonly Offer[], settings: Settings): Json {
  return {
    default_model: settings.models.writer.model,
    providers: offers.map(({ provider, models, problem }) => ({
      provider,
      reachable: problem === undefined,
      models,
      problem: problem ?? null,
    })),
  };
}
