import { ConfigurationError } from "../values/workflow-error.ts";
import { type HostedProvider, hostedProviderNames, isHostedProvider } from "./hosted-providers.ts";

/** A model as people name it, taken apart. `formatModelName` gives the one spelling that is stored. */
export type ModelName =
  | { readonly provider: "ollama" | HostedProvider; readonly model: string }
  | { readonly provider: "compatible"; readonly server: string; readonly model: string }
  | { readonly provider: "command" | "live-agent"; readonly name: string }
  /** A model that the program calling the library brings. */
  | { readonly provider: "own"; readonly name: string }
  | { readonly provider: "script"; readonly file: string }
  | { readonly provider: "offline"; readonly rules: string };

const spellings = `ollama/…, ${hostedProviderNames.map((name) => `${name}/…`).join(", ")}, compatible/<name>/…, command/<name>, live-agent/<name>, script:<file>, offline/…`;

/** Throws `ConfigurationError` (`bad-model-name`). A bare name is Ollama's, and a name without tag is `:latest`. */
export function parseModelName(text: string): ModelName {
  const named = text.trim();
  if (named.startsWith("script:")) {
    return { provider: "script", file: required(named, named.slice("script:".length)) };
  }
  const slash = named.indexOf("/");
  if (slash < 0) return { provider: "ollama", model: tagged(required(named, named)) };
  const provider = named.slice(0, slash);
  const rest = required(named, named.slice(slash + 1));
  if (isHostedProvider(provider)) return { provider, model: rest };
  switch (provider) {
    case "ollama":
      return { provider, model: tagged(rest) };
    case "compatible":
      return compatible(named, rest);
    case "command":
    case "live-agent":
    case "own":
      return { provider, name: rest };
    case "offline":
      return { provider, rules: rest };
    default:
      throw badName(named, `"${provider}" is not a provider`);
  }
}

/** Whether the model is a program, a script or an agent that works in the project's folder. */
export function needsProjectFolder({ provider }: ModelName): boolean {
  return provider === "command" || provider === "live-agent" || provider === "script";
}

export function formatModelName(name: ModelName): string {
  switch (name.provider) {
    case "compatible":
      return `compatible/${name.server}/${name.model}`;
    case "command":
    case "live-agent":
    case "own":
      return `${name.provider}/${name.name}`;
    case "script":
      return `script:${name.file}`;
    case "offline":
      return `offline/${name.rules}`;
    default:
      return `${name.provider}/${name.model}`;
  }
}

function compatible(named: string, rest: string): ModelName {
  const slash = rest.indexOf("/");
  if (slash < 0) throw badName(named, "it names a server and no model");
  const server = required(named, rest.slice(0, slash));
  return { provider: "compatible", server, model: required(named, rest.slice(slash + 1)) };
}

/** Registry names have slashes and ports in front; only the last part can bear a tag. */
function tagged(model: string): string {
  return model.slice(model.lastIndexOf("/") + 1).includes(":") ? model : `${model}:latest`;
}

function required(named: string, part: string): string {
  if (part === "") throw badName(named, "a part of it is empty");
  return part;
}

function badName(named: string, why: string): ConfigurationError {
  return new ConfigurationError(`"${named}" is not a model name: ${why}.`, {
    code: "bad-model-name",
    facts: { model: named },
    hint: `Write one of: ${spellings}`,
  });
}
