import { accessSync, appendFileSync, constants, existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { printableJson } from "../../contract/documents/json-text.ts";
import type { Redactor } from "../../domain/settings/redactor.ts";
import type { Json } from "../../domain/values/json.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
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
  if (most !== "silent") requireWritable(path);
  return (level, event, fields) => {
    if (order.indexOf(level) > order.indexOf(most)) return;
    const line = redactor.json({ time: clock.now(), level, event, ...fields });
    try {
      appendFileSync(path, printableJson(line), { mode: 0o600 });
    } catch {
      // A disk that has become full must not end the run that is logged.
    }
  };
}

/** Creates no file: the command may yet be refused, and leaves nothing behind then. */
function requireWritable(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    if (existsSync(path)) appendFileSync(path, "");
    else accessSync(dirname(path), constants.W_OK);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigurationError(`The log file ${path} cannot be written: ${why}.`, {
      code: "log-unwritable",
      facts: { path },
      hint: "Name another with --log-file.",
      cause,
    });
  }
}
