import { isArray, isObject, type Json } from "../values/json.ts";

export const MASK = "[redacted]";

/** What must never reach an artifact. */
export interface MaskRules {
  /** Known secret values, in every form they may be sent or echoed in. */
  readonly secrets: readonly string[];
  /** A project's own rule for business data, applied to every text. */
  readonly rewrite?: (text: string) => string;
}

/** Ends of names, after `someApiKey` and `X-Api-Key` became `some_api_key` and `x_api_key`. */
const SECRET_NAMES =
  /(?:^|_)(?:api_?key|(?:private|secret|access)_?key|(?:access|refresh|auth|api|id|bearer)_?token|authorization|cookie|password|passwd|passphrase|secret|bearer|credentials?)$/;

/**
 * Hides known secrets wherever they occur, and every text under a name that can only hold a secret. What needs no
 * mask, as most of every answer, is given back as it is.
 */
export function maskJson(value: Json, rules: MaskRules): Json {
  const mask = maskerOf(rules);
  const walk = (part: Json): Json => {
    if (typeof part === "string") return mask(part);
    if (isArray(part)) {
      const elements = part.map(walk);
      return elements.every((element, at) => element === part[at]) ? part : elements;
    }
    if (!isObject(part)) return part;
    const members = Object.entries(part);
    const masked = members.map(([name, member]): [string, Json] => [
      mask(name),
      holdsSecret(name) && member !== null && member !== "" ? MASK : walk(member),
    ]);
    const isSame = members.every(
      ([name, member], at) => masked[at]?.[0] === name && masked[at]?.[1] === member,
    );
    return isSame ? part : (Object.fromEntries(masked) as Json);
  };
  return walk(value);
}

export function maskText(text: string, rules: MaskRules): string {
  return maskerOf(rules)(text);
}

/** Longer secrets first, so that one inside another leaves nothing behind. */
function maskerOf(rules: MaskRules): (text: string) => string {
  const forms = rules.secrets
    .filter((secret) => secret.length >= 4)
    .flatMap(formsOf)
    .sort((left, right) => right.length - left.length);
  return (text) => {
    const hidden = forms.reduce((masked, form) => masked.replaceAll(form, MASK), text);
    return rules.rewrite === undefined ? hidden : rules.rewrite(hidden);
  };
}

/** Texts under a name that can only hold a secret, such as a key inside the body of a request. */
export function secretsIn(value: Json): readonly string[] {
  if (isArray(value)) return value.flatMap(secretsIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    typeof member === "string" ? (holdsSecret(name) ? [member] : []) : secretsIn(member),
  );
}

function holdsSecret(name: string): boolean {
  const words = name.replace(/(?<=[a-z0-9])(?=[A-Z])|-/g, "_").toLowerCase();
  return SECRET_NAMES.test(words);
}

/** As is, as a JSON text shows it, as an address shows it. */
function formsOf(secret: string): readonly string[] {
  const escaped = JSON.stringify(secret).slice(1, -1);
  const encoded = /\p{Surrogate}/u.test(secret) ? secret : encodeURIComponent(secret);
  return [...new Set([secret, escaped, encoded])];
}
