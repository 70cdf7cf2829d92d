import { defined } from "../../../domain/values/defined.ts";
import type { Json } from "../../../domain/values/json.ts";

/** What a request's settings may hold for a model behind an API. */
export interface CallSettings {
  readonly temperature?: number;
  readonly maxTokens?: number;
  readonly seed?: number;
  readonly numCtx?: number;
  /** JSON Schema of the reply. */
  readonly schema?: { readonly [name: string]: Json };
  /** The reply may be an approval, so a prompt that was cut without a word makes it void. */
  readonly guard: boolean;
  /** They stand at the two ends of the prompt; a reply that echoes all of them has seen it whole. */
  readonly nonces: readonly string[];
}

export function readCallSettings(settings: Json): CallSettings {
  const given = isRecord(settings) ? settings : {};
  const number = (name: string) => (typeof given[name] === "number" ? given[name] : undefined);
  const nonces = Array.isArray(given.nonces) ? given.nonces : [];
  const temperature = number("temperature");
  const maxTokens = number("max_tokens");
  const seed = number("seed");
  const numCtx = number("num_ctx");
  const schema = given.schema;
  return {
    ...defined({ temperature, maxTokens, seed, numCtx }),
    ...(schema !== undefined && isRecord(schema) ? { schema } : {}),
    guard: given.guard === true,
    nonces: nonces.filter((nonce): nonce is string => typeof nonce === "string"),
  };
}

function isRecord(value: Json): value is { readonly [name: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
