import type { Json } from "../../domain/values/json.ts";

const entry = /^([A-Za-z][\w-]*): +(\S.*)$/;
/** Starts with a letter and holds nothing that YAML gives a meaning to inside a line. */
const scalar = /^[A-Za-z][^:#\p{C}\p{Zl}\p{Zp}]*$/u;
/** Two adjacent runs of blanks would make matching a long one quadratic. */
const list = /^\[ *(?:[A-Za-z][\w-]*(?: *, *[A-Za-z][\w-]*)* *)?\]$/;
const reserved = new Set(["true", "false", "null"]);

/**
 * Reads the subset of YAML that most notes use (one line per key; words, sentences, lists of words) and returns
 * `undefined` for everything else. It is about twenty times faster than the YAML library, which halves the time of
 * `notes status` over 10,000 notes. The test compares both readers on generated texts.
 */
export function readPlainYaml(yaml: string): { readonly [key: string]: Json } | undefined {
  const values = new Map<string, Json>();
  for (const raw of yaml.split("\n")) {
    const line = raw.trimEnd();
    if (!/^[ \t]*\r?$/.test(raw.slice(line.length))) return undefined;
    if (line === "") continue;
    const [, key, written] = entry.exec(line) ?? [];
    if (key === undefined || written === undefined || values.has(key) || isReserved(key))
      return undefined;
    const value = readValue(written);
    if (value === undefined) return undefined;
    values.set(key, value);
  }
  return Object.fromEntries(values);
}

function readValue(written: string): Json | undefined {
  if (scalar.test(written)) return isReserved(written) ? undefined : written;
  if (!list.test(written)) return undefined;
  const inner = written.slice(1, -1).trim();
  const words = inner === "" ? [] : inner.split(/ *, */);
  return words.some(isReserved) ? undefined : words;
}

function isReserved(word: string): boolean {
  return reserved.has(word.toLowerCase());
}
