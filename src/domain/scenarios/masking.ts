import type { Json } from "../values/json.ts";
import { isArray, isObject } from "./manifest.ts";

export const MASK = "[redacted]";

/** What must never reach an artifact. */
export interface MaskRules {
  /** Known secret values, in every form they may be sent or echoed in. */
  readonly secrets: readonly string[];
  /** A project's own rule for business data, applied to every text. */
  readonly rewrite?: (text: string) => string;
}

const SECRET_NAMES =
  /^(?:.*[_-])?(?:api[_-]?key|authorization|cookie|set-cookie|password|passwd|secret|client[_-]?secret|access[_-]?token|refresh[_-]?token|bearer|credentials?)$/i;
const CAMEL_SECRET = /(?:apiKey|accessToken|refreshToken|clientSecret|privateKey)$/i;

/** Hides known secrets wherever they occur, and every text under a name that can only hold a secret. */
export function maskJson(value: Json, rules: MaskRules): Json {
  if (typeof value === "string") {
    return maskText(value, rules);
  }
  if (isArray(value)) {
    return value.map((element) => maskJson(element, rules));
  }
  if (!isObject(value)) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      maskText(name, rules),
      holdsSecret(name) && member !== null && member !== "" ? MASK : maskJson(member, rules),
    ]),
  );
}

/** Longer secrets first, so that one inside another leaves nothing behind. */
export function maskText(text: string, rules: MaskRules): string {
  const hidden = rules.secrets
    .filter((secret) => secret.length >= 4)
    .flatMap(formsOf)
    .sort((left, right) => right.length - left.length)
    .reduce((masked, form) => masked.replaceAll(form, MASK), text);
  return rules.rewrite === undefined ? hidden : rules.rewrite(hidden);
}

function holdsSecret(name: string): boolean {
  return SECRET_NAMES.test(name) || CAMEL_SECRET.test(name);
}

/** As is, as a JSON text shows it, as an address shows it. */
function formsOf(secret: string): readonly string[] {
  const escaped = JSON.stringify(secret).slice(1, -1);
  const encoded = /\p{Surrogate}/u.test(secret) ? secret : encodeURIComponent(secret);
  return [...new Set([secret, escaped, encoded])];
}
