import { appendFileSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { printableJson } from "../../contract/documents/json-text.ts";
import type { Redactor } from "../../domain/settings/redactor.ts";
import type { Json } from "../../domain/values/json.ts";
import type { Clock } from "../../ports/clock.ts";

const order = ["silent", "error", "info", "debug"] as const;

export interface JsonLogOptions {
  readonly path: string;
  readonly level: (typeof order)[number];
  readonly clock: Pick<Clock, "now">;
  readonly redactor: Redactor;
}

export type LogLine = (
  level: "error" | "info" | "debug",
  event: string,
  fields: { readonly [name: string]: Json },
) => void;

/**
 * Appends one JSON object per line in a single write, so that several processes can share the file and a killed one
 * leaves no partial line. Secrets are removed from every field.
 */
export function openJsonLog({ path, level: most, clock, redactor }: JsonLogOptions): LogLine {
  if (most !== "silent") mkdirSync(dirname(path), { recursive: true });
  return (level, event, fields) => {
    if (order.indexOf(level) > order.indexOf(most)) return;
    const line = redactor.json({ time: clock.now(), level, event, ...fields });
    appendFileSync(path, printableJson(line), { mode: 0o600 });
  };
}
