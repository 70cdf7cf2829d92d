import type { CommandPreset } from "../../adapters/runners/command/command-presets.ts";
import type { ModelFacts } from "../../adapters/runners/model-api/ollama-runner.ts";
import type { ApprovalTest } from "../../adapters/runners/model-api/prompt-guard.ts";
import { redactedRunner } from "../../adapters/runners/redacted-runner.ts";
import { compatiblePresets } from "../../domain/models/compatible-presets.ts";
import {
  type HostedProvider,
  hostedProviders,
  isHostedProvider,
} from "../../domain/models/hosted-providers.ts";
import type { ModelName } from "../../domain/models/model-name.ts";
import { costOf } from "../../domain/models/price.ts";
import { smallestContext } from "../../domain/models/truncation-guard.ts";
import type { Guard } from "../../domain/settings/acts.ts";
import type { Redactor } from "../../domain/settings/redactor.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { defined } from "../../domain/values/defined.ts";
import { lazily } from "../../domain/values/lazily.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { Clock } from "../../ports/clock.ts";
import type { ResolvedRunner, Runner } from "../../ports/runner.ts";
import { readReviewerReply } from "../../protocol/drafting/reviewer-reply.ts";
import type { ReviewerTask } from "../../protocol/drafting/task.ts";
import type { AgentCommand } from "../features/episode-agents.ts";
import { writePromptFile } from "../project/prompt-file.ts";
import type { Environment } from "../settings/environment.ts";
import { accountFor } from "../settings/guard.ts";
import { priceList } from "./prices.ts";

export interface ProviderAccess {
  readonly settings: Settings;
  readonly environment: Environment;
  readonly redactor: Redactor;
  readonly guard: Guard;
  /** Programs that an episode names, by the name in `command/<name>`. */
  readonly agents?: { readonly [name: string]: AgentCommand };
}

interface Parts extends ProviderAccess {
  readonly root: string;
  readonly clock: Clock;
}

/** A model outside of this package. */
export type ProviderModel = Exclude<ModelName, { readonly provider: "offline" | "script" | "own" }>;

/**
 * The runners of all providers with the settings of this invocation: one per provider, created on first use. Each asks
 * the guard before it starts a program or sends a key.
 */
export function createProviderRunners(
  parts: Parts,
): (name: ProviderModel) => Promise<ResolvedRunner> {
  const made = new Map<string, Promise<Runner>>();
  const dispatcher = lazily(() => openDispatcher(parts));
  return async (name) => {
    const provider = providerOf(name);
    const runner = made.get(provider) ?? makeRunner(name, parts, dispatcher);
    made.set(provider, runner);
    return {
      runner: redactedRunner(await runner, parts.redactor),
      provider,
      ...timeOutsOf(name, parts.settings),
      price: (usage) =>
        costOf(name, usage, { ...priceList(parts.settings), at: parts.clock.now() }),
    };
  };
}

/** Calls of one provider share a limit and a runner; each server and each program counts as a provider. */
function providerOf(name: ProviderModel): string {
  switch (name.provider) {
    case "compatible":
      return `compatible/${name.server}`;
    case "command":
    case "live-agent":
      return `${name.provider}/${name.name}`;
    default:
      return name.provider;
  }
}

/** `limits.concurrency` by the name of a server or program, else of its kind, else the default. */
export function concurrencyOf({ limits: { concurrency } }: Settings, provider: string): number {
  return ofProvider(concurrency, provider) ?? concurrency.default ?? 1;
}

/** `limits.requests_per_second`, where there is one. */
export function rateOf({ limits }: Settings, provider: string): number | undefined {
  return ofProvider(limits.requestsPerSecond ?? {}, provider);
}

function ofProvider(
  limits: { readonly [provider: string]: number },
  provider: string,
): number | undefined {
  const [kind = provider, own = provider] = provider.split("/");
  return limits[own] ?? limits[kind];
}

/** What Ollama's servers have reported of their models, for all runs of this process. */
const ollamaModels = new Map<string, ModelFacts>();

type OpenDispatcher = () => ReturnType<typeof openDispatcher>;

async function openDispatcher({ environment }: Parts) {
  const { sharedDispatcher } = await import(
    "../../adapters/runners/model-api/create-dispatcher.ts"
  );
  return sharedDispatcher(environment.proxy);
}

async function makeRunner(
  name: ProviderModel,
  parts: Parts,
  open: OpenDispatcher,
): Promise<Runner> {
  const { root, clock, settings, environment, guard } = parts;
  switch (name.provider) {
    case "ollama": {
      const { createOllamaRunner } = await import(
        "../../adapters/runners/model-api/ollama-runner.ts"
      );
      const { baseUrl } = settings.ollama;
      const shared = { dispatcher: await open(), known: ollamaModels };
      return createOllamaRunner({ clock, baseUrl, isApproval, ...shared });
    }
    case "compatible":
      return compatible(name.server, parts, open);
    case "command": {
      const { createCommandRunner } = await import(
        "../../adapters/runners/command/command-runner.ts"
      );
      const agents = parts.agents ?? {};
      const agent = Object.hasOwn(agents, name.name) ? agents[name.name] : undefined;
      const command = agent ?? { ...(await commandOf(name.name, settings)), cwd: root };
      const about = { name: name.name, clock, guard, environment: environment.everything() };
      return createCommandRunner({ ...command, ...about });
    }
    case "live-agent": {
      const { createLiveAgentRunner } = await import(
        "../../adapters/runners/live-agent/live-agent-runner.ts"
      );
      return createLiveAgentRunner({ writePrompt: (request) => writePromptFile(root, request) });
    }
    default:
      return hosted(name.provider, parts, open);
  }
}

async function hosted(
  provider: HostedProvider,
  parts: Parts,
  open: OpenDispatcher,
): Promise<Runner> {
  const { clock, environment, guard } = parts;
  const { address: baseUrl, missing, ...account } = accountFor(provider, parts);
  if (missing.length > 0) throw placeMissing(provider, missing);
  const [{ createHostedRunner }, { requirePackage }] = await Promise.all([
    import("../../adapters/runners/model-api/hosted-runner.ts"),
    import("../../adapters/runners/model-api/hosted-models.ts"),
  ]);
  const read = environment.secret;
  const places = Object.fromEntries(
    Object.entries(hostedProviders[provider].places).map(([place, name]) => [place, read(name)]),
  );
  const apiKey = read(account.variable);
  const sessionToken = read("AWS_SESSION_TOKEN");
  const signing =
    account.variable === "AWS_SECRET_ACCESS_KEY" && apiKey !== undefined
      ? { accessKeyId: read("AWS_ACCESS_KEY_ID") ?? "", secretAccessKey: apiKey }
      : undefined;
  const runner = createHostedRunner({
    ...{ provider, clock, guard, dispatcher: await open(), baseUrl },
    ...defined(places),
    ...account,
    ...defined({ apiKey, signing: signing && { ...signing, ...defined({ sessionToken }) } }),
  });
  await requirePackage(provider);
  return runner;
}

function placeMissing(provider: HostedProvider, missing: readonly string[]): ConfigurationError {
  const { title, places } = hostedProviders[provider];
  const named = missing.map((place) => `providers.${provider}.${place}`).join(" and ");
  const variables = missing.map((place) => places[place]).join(" and ");
  return new ConfigurationError(`${title} has no ${missing.join(" and no ")} set.`, {
    code: "provider-incomplete",
    facts: { provider, missing },
    hint: `Set ${variables} in the environment, or ${named} in signoff.yaml.`,
  });
}

async function compatible(server: string, parts: Parts, open: OpenDispatcher): Promise<Runner> {
  const { clock, settings, environment, guard } = parts;
  const servers = { ...compatiblePresets, ...settings.compatible };
  const known = Object.hasOwn(servers, server) ? servers[server] : undefined;
  if (known === undefined) {
    throw new ConfigurationError(`There is no server "${server}" in the settings.`, {
      code: "server-unknown",
      facts: { server, known: Object.keys(servers) },
      hint: `Set providers.compatible.${server}.base_url in signoff.yaml.`,
    });
  }
  const { createCompatibleRunner } = await import(
    "../../adapters/runners/model-api/compatible-runner.ts"
  );
  const { baseUrl, apiKeyEnv, cutsSilently, ...more } = known;
  const key =
    apiKeyEnv === undefined
      ? {}
      : { apiKey: environment.secret(apiKeyEnv) ?? "", apiKeyVariable: apiKeyEnv };
  const cutting = cutsSilently === true ? { contextTokens: smallestContext, isApproval } : {};
  const about = { clock, guard, dispatcher: await open(), name: server, baseUrl };
  return createCompatibleRunner({ ...about, ...more, ...key, ...cutting });
}

/** The project's own command replaces a preset of the same name, which still decides what the program may see. */
async function commandOf(name: string, settings: Settings): Promise<CommandPreset> {
  const { commandPresets, isPresetCommand } = await import(
    "../../adapters/runners/command/command-presets.ts"
  );
  const preset = isPresetCommand(name) ? commandPresets[name] : undefined;
  const own = Object.hasOwn(settings.commands, name) ? settings.commands[name] : undefined;
  if (own === undefined && preset !== undefined) return preset;
  if (own === undefined) {
    throw new ConfigurationError(`There is no command "${name}" in the settings.`, {
      code: "command-unknown",
      facts: {
        command: name,
        known: [...Object.keys(commandPresets), ...Object.keys(settings.commands)],
      },
      hint: /^(?:creator|reviewer|drafter)-/u.test(name)
        ? `If it was an agent of an episode.yaml, name it there again and run the same \`signoff episode\` command; --restart starts over with another.`
        : `Set commands.${name}.argv in signoff.yaml; claude, codex and gemini need no setting.`,
    });
  }
  const { argv, reads = "text", seconds = preset?.seconds ?? usualSeconds } = own;
  return { argv, reads, seconds, passes: preset?.passes ?? [] };
}

const usualSeconds = 900;

/** A self-hosted server may have to load the model first. Programs have their own limit, people none. */
function timeOutsOf(
  { provider }: ProviderModel,
  { idleSeconds, firstIdleSeconds, totalSeconds }: Settings,
): Pick<ResolvedRunner, "idleMs" | "firstIdleMs" | "totalMs"> {
  if (provider === "command" || provider === "live-agent") return {};
  const idleMs = idleSeconds * 1_000;
  const totalMs = totalSeconds === undefined ? undefined : totalSeconds * 1_000;
  const firstIdleMs = isHostedProvider(provider) ? undefined : firstIdleSeconds * 1_000;
  return { idleMs, ...defined({ firstIdleMs, totalMs }) };
}

/** Reviews of drafts are read as the loop reads them; any other guarded reply counts as an approval. */
const isApproval: ApprovalTest = ({ task }, text) => {
  const review = task as unknown as ReviewerTask | null;
  if (review?.kind !== "review") return true;
  const read = readReviewerReply(text, review);
  return read.kind === "read" && read.reply.verdict === "ok";
};
