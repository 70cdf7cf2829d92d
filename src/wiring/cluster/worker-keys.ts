import { type HostedProvider, hostedProviderNames } from "../../domain/models/hosted-providers.ts";
import type { Environment } from "../settings/environment.ts";
import { accountFor } from "../settings/guard.ts";
import type { LoadedSettings } from "../settings/settings.ts";

/** A key in the worker's environment is there to be sent to its own provider. */
export function agreeToOwnKeys(loaded: LoadedSettings, environment: Environment): void {
  const usable = hostedProviderNames.filter((provider) => keyOf(provider, loaded, environment));
  loaded.guard.agreeToModels(usable.map((provider) => `${provider}/any`));
}

/** What this worker cannot do, one sentence each. */
export function lacksOf(loaded: LoadedSettings, environment: Environment): readonly string[] {
  const usable = hostedProviderNames.filter((provider) => keyOf(provider, loaded, environment));
  const keyless = Object.entries(loaded.settings.compatible).flatMap(([server, { apiKeyEnv }]) =>
    apiKeyEnv !== undefined && environment.secret(apiKeyEnv) === undefined
      ? [`The server ${server} has no key here (${apiKeyEnv}): runs that ask it will fail.`]
      : [],
  );
  const hosted =
    usable.length === 0
      ? [
          "No key of a hosted provider is set: runs that ask openai/…, anthropic/… or the like will fail here.",
        ]
      : [];
  return [...hosted, ...keyless];
}

function keyOf(
  provider: HostedProvider,
  { settings }: LoadedSettings,
  environment: Environment,
): string | undefined {
  return environment.secret(accountFor(provider, { settings, environment }).variable);
}
