import { hash } from "node:crypto";
import { toUSVString } from "node:util";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { Json } from "../../../domain/values/json.ts";
import { WorkflowError } from "../../../domain/values/workflow-error.ts";
import type { Connection } from "./connection.ts";
import { unreadableValue, wayOn } from "./store-error.ts";

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

export const nothingPlaced: Placed = { inline: null, text: null };

/** Stores the text once, however many rows refer to it; returns its digest. */
export function keepText(connection: Connection, text: string): string {
  const digest = hash("sha256", text);
  const known = connection.get("SELECT 1 FROM texts WHERE digest = ?", digest);
  if (known !== undefined) return digest;
  const deflated = isLong(text) ? deflateRawSync(text, { level: compressionLevel }) : undefined;
  const isWorthIt = deflated !== undefined && deflated.length < Buffer.byteLength(text);
  connection.run(
    "INSERT INTO texts (digest, plain, deflated) VALUES (?, ?, ?)",
    digest,
    isWorthIt ? null : text,
    isWorthIt ? deflated : null,
  );
  return digest;
}

export function findText(connection: Connection, digest: string): string {
  const row = connection.get<{ plain: string | null; deflated: Buffer | null }>(
    "SELECT plain, deflated FROM texts WHERE digest = ?",
    digest,
  );
  if (row?.deflated) return inflated(row.deflated);
  if (row === undefined || row.plain === null) {
    throw new WorkflowError(`the store lacks a text that it names: ${digest}`, {
      code: "store-damaged",
      facts: { path: connection.path, digest },
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

export function placeJson(connection: Connection, value: Json): Placed {
  return place(connection, JSON.stringify(value));
}

export function placedJson(connection: Connection, { inline, text }: Placed): Json {
  return storedJson(inline ?? findText(connection, text ?? ""));
}

export function placeText(connection: Connection, text: string): Placed {
  return place(connection, encodeText(text));
}

export function placedText(connection: Connection, { inline, text }: Placed): string {
  return decodeText(inline ?? findText(connection, text ?? ""));
}

function place(connection: Connection, text: string): Placed {
  return isLong(text)
    ? { inline: null, text: keepText(connection, text) }
    : { inline: text, text: null };
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
