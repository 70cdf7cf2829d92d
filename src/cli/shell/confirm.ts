import type { CliContext } from "./cli-context.ts";

/** Questions need a terminal. */
export function canAsk({ screen }: CliContext): boolean {
  return process.stdin.isTTY === true && screen.err.isTerminal;
}

/** Only a plain yes counts; anything else, including cancelling, is no. */
export async function confirmed(message: string): Promise<boolean> {
  const { confirm } = await import("@clack/prompts");
  return (await confirm({ message, initialValue: false, output: process.stderr })) === true;
}
