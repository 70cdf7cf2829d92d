import { hash } from "node:crypto";
import { toUSVString } from "node:util";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { Json } from "../../../domain/values/json.ts";
import { WorkflowError } from "../../../domain/values/workflow-error.ts";
import { unreadableValue, wayOn } from "./damage.ts";
import { change, get, lock, together, type Unit } from "./unit.ts";

/**
 * From this length a text is worth sharing and compressing. Below it the work costs more than the pages it saves: at
 * 16 kB a fifth of a millisecond against four pages, which are written with the same sync.
 */
const longTextLength = 32_768;
const compressionLevel = 1;

/** A value as text: in its own row if short, in `texts` if long. */
export interface Placed {
  readonly inline: string | null;
  readonly text: string | null;
}

/** A value before it is stored; `keepLong` stores what does not fit its row. */
export interface Placing extends Placed {
  readonly long?: string;
}

export const nothingPlaced: Placing = { inline: null, text: null };

/** The lock that keeps a removal of unnamed texts from removing one that is about to be named. */
export const textsLock = "texts";

/** Stores the text once, however many rows refer to it; returns its digest. */
export function* keepText(text: string, digest = digestOf(text)): Unit<string> {
  const [, known] = yield* together(
    lock(textsLock, "shared"),
    get("SELECT 1 AS known FROM texts WHERE digest = ?", digest),
  );
  if (known !== undefined) return digest;
  // PostgreSQL takes no NUL in a text. UTF-8 always leaves something to compress.
  const isPacked = isLong(text) || text.includes("\0");
  yield* change(
    "INSERT INTO texts (digest, plain, deflated) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
    digest,
    isPacked ? null : text,
    isPacked ? deflateRawSync(text, { level: compressionLevel }) : null,
  );
  return digest;
}

export function digestOf(text: string): string {
  return hash("sha256", text);
}

export function* findText(digest: string): Unit<string> {
  const row = yield* get<{ plain: string | null; deflated: Buffer | null }>(
    "SELECT plain, deflated FROM texts WHERE digest = ?",
    digest,
  );
  if (row?.deflated) return inflated(row.deflated);
  if (row === undefined || row.plain === null) {
    throw new WorkflowError(`the store lacks a text that it names: ${digest}`, {
      code: "store-damaged",
      facts: { digest },
      hint: wayOn,
    });
  }
  return row.plain;
}

function inflated(deflated: Buffer): string {
  try {
    return inflateRawSync(deflated).toString("utf8");
  } catch (cause) {
    throw unreadableValue(cause);
  }
}

/** Reads JSON that this store has written. */
export function storedJson(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (cause) {
    throw unreadableValue(cause);
  }
}

export function isLong(text: string): boolean {
  return text.length >= longTextLength;
}

export function placeJson(value: Json): Placing {
  return place(JSON.stringify(value));
}

export function* placedJson({ inline, text }: Placed): Unit<Json> {
  return storedJson(inline ?? (yield* findText(text ?? "")));
}

export function placeText(text: string): Placing {
  return place(encodeText(text));
}

export function* placedText({ inline, text }: Placed): Unit<string> {
  return decodeText(inline ?? (yield* findText(text ?? "")));
}

function place(text: string): Placing {
  return isLong(text)
    ? { inline: null, text: digestOf(text), long: text }
    : { inline: text, text: null };
}

/** Stores the texts that do not fit their rows; nothing to do for most. */
export function keepLong(...placings: readonly Placing[]): readonly Unit<string>[] {
  const units: Unit<string>[] = [];
  for (const { long, text } of placings) {
    if (long !== undefined && text !== null) units.push(keepText(long, text));
  }
  return units;
}

/**
 * Prompts and replies are stored verbatim: people read them in the store, and encoding them as JSON costs more than
 * storing them. Only texts that start with a quotation mark, contain NUL or half a surrogate pair are stored as JSON,
 * which is recognised by its quotation mark.
 */
export function encodeText(text: string): string {
  const isPlain = !text.startsWith('"') && !text.includes("\0") && toUSVString(text) === text;
  return isPlain ? text : JSON.stringify(text);
}

export function decodeText(stored: string): string {
  return stored.startsWith('"') ? (storedJson(stored) as string) : stored;
}
