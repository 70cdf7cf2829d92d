import type { Json } from "../../domain/values/json.ts";
import type { Ending } from "../../ports/flow.ts";
import { findProjectRoot } from "../../wiring/project/project-root.ts";
import type { CliContext } from "./cli-context.ts";
import { layOut, type Span } from "./lay-out.ts";
import { renderStoredError } from "./render-error.ts";
import { printLines } from "./screen.ts";
import { writeJson } from "./write-json.ts";

export function printJson(cli: CliContext, json: Json): void {
  writeJson(cli.screen.out, json);
}

/** The result: one document for programs, or lines for people. */
export function printResult(
  cli: CliContext,
  flags: { readonly json?: boolean },
  json: Json,
  spans: readonly Span[],
): void {
  if (flags.json === true) printJson(cli, json);
  else printOut(cli, spans);
}

/** What was asked for. */
export function printOut(cli: CliContext, spans: readonly Span[]): void {
  printLines(cli.screen.out, layOut(spans, cli.layoutOf(cli.screen.out)));
}

/** What there is to say about it. */
export function printErr(cli: CliContext, spans: readonly Span[]): void {
  printLines(cli.screen.err, layOut(spans, cli.layoutOf(cli.screen.err)));
}

/** A remark beside the result. */
export function printRemark(cli: CliContext, text: string): void {
  printErr(cli, [{ text, style: "muted" }]);
}

/** Why a run failed, if it did. */
export function printFailure(cli: CliContext, ending: Ending): void {
  const { err } = cli.screen;
  if (ending.kind === "failed") printLines(err, renderStoredError(ending.error, cli.layoutOf(err)));
}

export function rootOf(cli: CliContext): string {
  return findProjectRoot(cli.cwd, cli.environment.home);
}
