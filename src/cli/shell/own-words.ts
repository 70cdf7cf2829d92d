import { defined } from "../../domain/values/defined.ts";
import { WorkflowError } from "../../domain/values/workflow-error.ts";
import type { CliContext } from "./cli-context.ts";
import { canAsk } from "./confirm.ts";
import { invalidFlag } from "./flag-values.ts";

interface Wanted {
  /** The flag, or the name of the argument. */
  readonly flag: string;
  readonly question: string;
  readonly example?: string;
  /** Can be taken as it is at a terminal. */
  readonly suggestion?: string;
}

/**
 * What a person has to say in their own words: from the flag, else asked for at a terminal. Never made up, so a printed
 * command leaves the flag out.
 */
export async function ownWords(
  cli: CliContext,
  given: string | undefined,
  { flag, question, example = `${flag} "…"`, suggestion: initialValue }: Wanted,
): Promise<string> {
  if (given !== undefined) {
    if (given.trim() === "") throw invalidFlag(`${flag} must not be empty.`);
    return given;
  }
  if (!canAsk(cli)) {
    const hint = `Give it with ${example}; at a terminal the command asks for it.`;
    throw invalidFlag(`${flag} is missing: ${question}`, hint, { flag });
  }
  const { isCancel, text } = await import("@clack/prompts");
  const said = await text({
    message: question,
    output: process.stderr,
    ...defined({ initialValue }),
    validate: (words) => ((words ?? "").trim() === "" ? "Please write a few words." : undefined),
  });
  if (isCancel(said)) {
    throw new WorkflowError("Nothing was decided.", { code: "interrupted" });
  }
  return said;
}

/** Why a person decides something. */
export function ownReason(
  cli: CliContext,
  { reason }: { readonly reason?: string },
  question: string,
): Promise<string> {
  return ownWords(cli, reason, { flag: "--reason", question });
}
