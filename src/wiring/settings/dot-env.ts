import { join } from "node:path";
import { parseEnv } from "node:util";
import { readSmallFile } from "../../adapters/workspace/config-file.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";

export interface DotEnv {
  readonly variables: { readonly [name: string]: string };
  /** Warnings about names that have no effect; never a value. */
  readonly notices: readonly string[];
}

/**
 * Variables that a project's file must not set: trust, the user's name, where a trusted header is sent, and those of the
 * crash suite.
 */
const usersOwn: readonly string[] = [
  "SIGNOFF_TRUST",
  "SIGNOFF_USER",
  "SIGNOFF_SCENARIOS_ASSISTANT_BASE_URL",
  "SIGNOFF_STOP_AT",
  "SIGNOFF_CRASH_LOG",
  "SIGNOFF_FIXED_TIME",
];

/** The project's `.env`. A folder of that name belongs to another program and is ignored. */
export async function loadDotEnv(root: string): Promise<DotEnv> {
  try {
    return parseDotEnv((await readSmallFile(join(root, ".env"))) ?? "");
  } catch (error) {
    if (error instanceof ConfigurationError && error.code === "not-a-file") return parseDotEnv("");
    throw error;
  }
}

export function parseDotEnv(text: string): DotEnv {
  const entries = Object.entries(parseEnv(text.replace(/^\ufeff/u, "")));
  const allowed = entries.filter(([name]) => mayBeSet(name));
  const ignored = entries.map(([name]) => name).filter((name) => !mayBeSet(name));
  return {
    variables: Object.fromEntries(allowed.map(([name, value]) => [name, value ?? ""])),
    notices: ignored.length === 0 ? [] : [noticeFor(ignored)],
  };
}

function mayBeSet(name: string): boolean {
  return /^(?:OLLAMA|SIGNOFF)_/u.test(name) && !usersOwn.includes(name);
}

function noticeFor(ignored: readonly string[]): string {
  const shown = ignored.filter((name) => /^\w{1,64}$/u.test(name)).slice(0, 10);
  const others = ignored.length - shown.length;
  const more = others === 0 ? "" : `${shown.length === 0 ? "" : " and "}${others} more`;
  return `.env may set only OLLAMA_… and SIGNOFF_… settings; ignored: ${shown.join(", ")}${more}.`;
}
