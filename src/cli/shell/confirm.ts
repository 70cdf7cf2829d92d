import type { CliContext } from "./cli-context.ts";

/** Nobody is asked where nobody can answer. */
export function canAsk({ screen }: CliContext): boolean {
  return process.stdin.isTTY === true && screen.err.isTerminal;
}

/** A plain yes counts; anything else, leaving included, is no. */
export async function confirmed(message: string): Promise<boolean> {
  const { confirm } = await import("@clack/prompts");
  return (await confirm({ message, initialValue: false, output: process.stderr })) === true;
}
