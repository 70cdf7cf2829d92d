import type { Happening } from "../../ports/observer.ts";
import type { CliContext } from "./cli-context.ts";
import { renderCause } from "./render-error.ts";
import { printLines } from "./screen.ts";

/** With `--debug`, where the error of a run comes from: the run itself keeps only the message. */
export function showCause(cli: CliContext, happening: Happening): void {
  if (happening.kind !== "run-ended" || happening.cause === undefined || !cli.debug()) return;
  const { err } = cli.screen;
  printLines(err, renderCause(happening.cause, cli.layoutOf(err)));
}
