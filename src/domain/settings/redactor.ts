import { escapePattern } from "../values/escape-pattern.ts";
import type { Json } from "../values/json.ts";

export interface Redactor {
  text(text: string): string;
  json(value: Json): Json;
  /** For a text that arrives in parts: a secret may be divided between them. */
  stream(emit: (part: string) => void): RedactedStream;
}

export interface RedactedStream {
  write(part: string): void;
  /** Passes on what was held back because it might have become a secret. */
  end(): void;
}

export const redacted = "[redacted]";

/**
 * Takes every secret out of what is stored, logged or shown, also inside JSON text or a URL.
 * Values too short to be a secret, and the words that local servers ask for in place of one, stay: taking
 * them out would eat ordinary words.
 */
export function createRedactor(secrets: readonly string[]): Redactor {
  const spellings = new Set(secrets.filter(isSecret).flatMap(spellingsOf));
  const longestFirst = [...spellings].sort((left, right) => right.length - left.length);
  if (longestFirst.length === 0) {
    const stream = (write: (part: string) => void) => ({ write, end: () => undefined });
    return { text: (text) => text, json: (value) => value, stream };
  }
  const pattern = new RegExp(longestFirst.map(escapePattern).join("|"), "gu");
  const text = (given: string) => given.replace(pattern, redacted);
  return {
    text,
    json: (value) => redactJson(value, text),
    stream: (emit) => redactedStream(emit, text, (known) => settled(known, longestFirst, pattern)),
  };
}

function redactedStream(
  emit: (part: string) => void,
  text: (text: string) => string,
  settledIn: (known: string) => number,
): RedactedStream {
  let held = "";
  const pass = (part: string): void => {
    if (part !== "") emit(part);
  };
  return {
    write(part) {
      const known = held + part;
      const end = settledIn(known);
      held = known.slice(end);
      pass(text(known.slice(0, end)));
    },
    end() {
      pass(held.length < shortest ? held : redacted);
      held = "";
    },
  };
}

/** How much of a text can be passed on: what follows may be the beginning of a secret, or belongs to one that ends in it. */
function settled(known: string, secrets: readonly string[], pattern: RegExp): number {
  const begun = known.length - beginning(known, secrets);
  const across = [...known.matchAll(pattern)].find(
    ({ index, 0: found }) => index < begun && index + found.length > begun,
  );
  return across?.index ?? begun;
}

/** How much of the end of a text may be the beginning of a secret. */
function beginning(text: string, secrets: readonly string[]): number {
  const most = Math.min(text.length, (secrets[0]?.length ?? 1) - 1);
  for (let length = most; length > 0; length -= 1) {
    const end = text.slice(-length);
    if (secrets.some((secret) => secret.startsWith(end))) return length;
  }
  return 0;
}

/** The address without user name and password. */
export function withoutCredentials(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/iu, `$1${redacted}@`);
}

/** The password of an address, as written and as meant. */
export function passwordsIn(url: string): readonly string[] {
  const password = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*?:([^/?#]*)@/iu.exec(url)?.[1];
  if (password === undefined || password === "") return [];
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password];
  }
}

const shortest = 6;
const placeholders = "ollama lm-studio not-needed no-key-required sk-no-key-required".split(" ");

/** Long enough to be a secret, and none of the words that local servers ask for in place of one. */
export function isSecret(value: string): boolean {
  return value.length >= shortest && !placeholders.includes(value);
}

function spellingsOf(secret: string): readonly string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  return [secret, secret.trim(), inJson, percentEncoded(secret)].filter(
    (spelling) => spelling.length >= shortest,
  );
}

/** A lone surrogate has no percent form. */
function percentEncoded(secret: string): string {
  try {
    return encodeURIComponent(secret);
  } catch {
    return secret;
  }
}

function redactJson(value: Json, text: (text: string) => string): Json {
  if (typeof value === "string") return text(value);
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((each: Json) => redactJson(each, text));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [text(name), redactJson(member, text)]),
  );
}
