import { vi } from "vitest";
import {
  type CommandSettings,
  createCommandRunner,
} from "../../src/adapters/runners/command/command-runner.ts";
import type { Reply } from "../../src/ports/runner.ts";
import { ManualClock } from "./manual-clock.ts";
import { failureOf, requestFor } from "./provider-wires.ts";
import { smallProgram } from "./small-programs.ts";

export const open = new AbortController().signal;
export const request = requestFor("command/agent");

export function settingsFor(
  argv: readonly string[],
  more: Partial<CommandSettings> = {},
): CommandSettings {
  return {
    name: "agent",
    argv,
    reads: "text",
    passes: [],
    seconds: 900,
    clock: new ManualClock(),
    environment: { PATH: "/usr/bin:/bin" },
    cwd: process.cwd(),
    guard: () => undefined,
    ...more,
  };
}

export async function runnerOf(lines: string, more: Partial<CommandSettings> = {}) {
  return createCommandRunner(settingsFor([await smallProgram(lines)], more));
}

export async function replyOf(lines: string, more: Partial<CommandSettings> = {}): Promise<Reply> {
  const attempted = await (await runnerOf(lines, more)).attempt(request, open);
  return (attempted as unknown as { readonly reply: Reply }).reply;
}

export async function errorOf(lines: string, more: Partial<CommandSettings> = {}) {
  return failureOf((await runnerOf(lines, more)).attempt(request, open));
}

/** Waits for what other processes do; the machine may be busy. */
export function soon(happened: () => unknown) {
  return vi.waitFor(happened, { timeout: 60_000, interval: 10 });
}

/** Starts the program and hands over what it prints first: by then it runs. */
export async function begun(lines: string, more: Partial<CommandSettings> = {}) {
  const runner = await runnerOf(lines, more);
  const stop = new AbortController();
  let ending: Promise<unknown> | undefined;
  const printed = await new Promise<string>((heard) => {
    let text = "";
    ending = runner.attempt(request, stop.signal, (part) => {
      text += part;
      if (text.includes("\n")) heard(text);
    });
    ending.catch((thrown: unknown) => heard(String(thrown)));
  });
  return { pids: printed.trim().split(" ").map(Number), stop, ending: ending! };
}
