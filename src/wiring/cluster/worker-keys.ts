import { hostedProviders } from "../../domain/models/hosted-providers.ts";
import type { Environment } from "../settings/environment.ts";
import type { LoadedSettings } from "../settings/settings.ts";

/** A key in the worker's environment is there to be sent to its own provider. */
export function agreeToOwnKeys({ guard }: LoadedSettings, environment: Environment): void {
  const usable = Object.entries(hostedProviders).filter(
    ([, { variable }]) => environment.secret(variable) !== undefined,
  );
  guard.agreeToModels(usable.map(([provider]) => `${provider}/any`));
}

/** What this worker cannot do, one sentence each. */
export function lacksOf({ settings }: LoadedSettings, environment: Environment): readonly string[] {
  const without = Object.entries(hostedProviders).flatMap(([provider, { variable }]) =>
    environment.secret(variable) === undefined ? [`${provider} (${variable})`] : [],
  );
  const keyless = Object.entries(settings.compatible).flatMap(([server, { apiKeyEnv }]) =>
    apiKeyEnv !== undefined && environment.secret(apiKeyEnv) === undefined
      ? [`compatible/${server} (${apiKeyEnv})`]
      : [],
  );
  const all = [...without, ...keyless];
  return all.length === 0
    ? []
    : [`No key for ${all.join(", ")}: runs that ask them will fail here.`];
}
