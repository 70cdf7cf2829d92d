import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import type { Surroundings } from "./signoff-process.ts";

const program = fileURLToPath(new URL("../../dist/bin/signoff.js", import.meta.url));
const mostMillis = 240_000;

/** Keys to press once a text is on the screen, each after the screen has reacted to the previous one. */
export interface Exchange {
  readonly seen: string;
  readonly press: readonly string[];
}

export const keys = { enter: "\r", down: "\u001b[B", interrupt: "\u0003" } as const;

export interface Sitting {
  readonly code: number | null;
  /** Everything shown, without colours and cursor movements. */
  readonly screen: string;
}

/** The command line at a pseudo-terminal, with scripted key presses. */
export function atTerminal(
  args: readonly string[],
  { cwd, env }: Surroundings,
  exchanges: readonly Exchange[],
): Promise<Sitting> {
  const words = [process.execPath, program, ...args].map((word) => `'${word}'`).join(" ");
  // Without an explicit size the pseudo-terminal is 0 columns wide.
  const command = `stty rows 40 cols 100 && exec ${words}`;
  const child = spawn(
    "script",
    ["--quiet", "--return", "--flush", "--command", command, "/dev/null"],
    {
      cwd,
      env: {
        PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
        HOME: join(cwd, "no-such-home"),
        ...{ TERM: "xterm", SHELL: "/bin/sh", ...env },
      },
      stdio: ["pipe", "pipe", "ignore"],
      timeout: mostMillis,
      killSignal: "SIGKILL",
    },
  );
  const waiting = [...exchanges];
  let shown = "";
  let screen = "";
  let answered = 0;
  let pending: readonly string[] = [];
  child.stdout.setEncoding("utf8").on("data", (part: string) => {
    shown += part;
    // From the beginning: a part may end in the middle of a sequence.
    screen = stripVTControlCharacters(shown);
    const next = waiting[0];
    if (pending.length === 0 && next !== undefined && screen.indexOf(next.seen, answered) >= 0) {
      waiting.shift();
      answered = screen.length;
      pending = next.press;
    }
    const [key, ...others] = pending;
    if (key === undefined) return;
    pending = others;
    child.stdin.write(key);
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, screen }));
  });
}
