import { defined } from "../../../domain/values/defined.ts";
import type { Json } from "../../../domain/values/json.ts";
import { isObject } from "../../../domain/values/json.ts";

/** What a request's settings may hold for a model behind an API. */
export interface CallSettings {
  readonly temperature?: number;
  readonly maxTokens?: number;
  readonly seed?: number;
  readonly numCtx?: number;
  /** The reply may be an approval, which is void if the prompt was silently cut. */
  readonly guard: boolean;
  /** Placed at both ends of the prompt; a model that echoes all of them has seen the whole prompt. */
  readonly nonces: readonly string[];
}

export function readCallSettings(settings: Json): CallSettings {
  const given = isObject(settings) ? settings : {};
  const number = (name: string) => (typeof given[name] === "number" ? given[name] : undefined);
  const nonces = Array.isArray(given.nonces) ? given.nonces : [];
  return {
    ...defined({
      temperature: number("temperature"),
      maxTokens: number("max_tokens"),
      seed: number("seed"),
      numCtx: number("num_ctx"),
    }),
    guard: given.guard === true,
    nonces: nonces.filter((nonce): nonce is string => typeof nonce === "string"),
  };
}
