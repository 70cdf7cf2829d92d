import { ConfigurationError } from "../../../domain/values/workflow-error.ts";

/**
 * Without trailing slashes. Credentials in an address are refused: they would appear in every message that names it,
 * and fetch does not accept them anyway.
 */
export function readBaseUrl(provider: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol)) {
    throw badBaseUrl(provider, "is not an http or https address", text);
  }
  if (url.username !== "" || url.password !== "") {
    throw badBaseUrl(provider, "holds a user name or password", `${url.protocol}//…@${url.host}`);
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/u, "");
}

/** Ollama's own API is at the root; people also give the address of its OpenAI-compatible API. */
export function readOllamaUrl(text: string): string {
  return readBaseUrl("ollama", text).replace(/\/(?:v1|api)$/u, "");
}

function badBaseUrl(provider: string, why: string, shown: string): ConfigurationError {
  return new ConfigurationError(`The base URL of ${provider} ${why}: ${shown}`, {
    code: "bad-base-url",
    facts: { provider, base_url: shown },
    hint: "Write it like http://localhost:11434, and keys in the environment.",
  });
}
