import type { Json } from "../../domain/values/json.ts";
import type { Ending } from "../../ports/flow.ts";
import { findProjectRoot } from "../../wiring/project/project-root.ts";
import type { Environment } from "../../wiring/settings/environment.ts";
import type { CliContext } from "./cli-context.ts";
import { type Layout, type Line, layOutLines } from "./lay-out.ts";
import { renderStoredError } from "./render-error.ts";
import { printLines, type Sink } from "./screen.ts";
import { stripControl } from "./strip-control.ts";
import { muted } from "./styles.ts";
import { writeJson } from "./write-json.ts";

export interface JsonFlags {
  readonly json?: boolean;
}

export function printJson(cli: CliContext, json: Json): void {
  writeJson(cli.screen.out, json);
}

/** What is printed for people: text, lines, or a function that renders the lines for a layout. */
export type Shown = string | readonly Line[] | ((layout: Layout) => readonly string[]);

/** The result: one document for programs, or lines for people. */
export function printResult(cli: CliContext, flags: JsonFlags, json: Json, shown: Shown): void {
  if (flags.json === true) printJson(cli, json);
  else printOut(cli, shown);
}

/** Prints the result of the command. */
export function printOut(cli: CliContext, shown: Shown): void {
  print(cli, cli.screen.out, shown);
}

/** Prints a comment on the result, such as a warning. */
export function printErr(cli: CliContext, shown: Shown): void {
  print(cli, cli.screen.err, shown);
}

function print(cli: CliContext, sink: Sink, shown: Shown): void {
  const layout = cli.layoutOf(sink);
  if (typeof shown === "function") printLines(sink, shown(layout));
  else printLines(sink, layOutLines(typeof shown === "string" ? [shown] : shown, layout));
}

/** Prints a document for people as it is, but for what a terminal or a CI system would act on. */
export function printText({ screen: { out } }: CliContext, text: string): void {
  printLines(out, (out.isTerminal ? stripControl(text) : text).replace(/\n$/u, "").split("\n"));
}

/** A remark beside the result. */
export function printRemark(cli: CliContext, text: string): void {
  printErr(cli, [muted(text)]);
}

/** Why a run failed, if it did. */
export function printFailure(cli: CliContext, ending: Ending): void {
  const { err } = cli.screen;
  if (ending.kind === "failed") printLines(err, renderStoredError(ending.error, cli.layoutOf(err)));
}

export function rootOf(cli: CliContext): string {
  return findProjectRoot(cli.cwd, cli.environment.home);
}

/** Where the project of this command keeps its record. */
export function projectPlaceOf(cli: CliContext): {
  readonly root: string;
  readonly environment: Environment;
} {
  return { root: rootOf(cli), environment: cli.environment };
}
