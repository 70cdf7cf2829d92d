import type { Json } from "../../domain/values/json.ts";
import { findProjectRoot } from "../../wiring/project/project-root.ts";
import type { CliContext } from "./cli-context.ts";
import { layOut, type Span } from "./lay-out.ts";
import { printJson as printDocument } from "./print-json.ts";
import { printLines } from "./screen.ts";

export function printJson(cli: CliContext, json: Json): void {
  printDocument(cli.screen.out, json);
}

/** What was asked for. */
export function printOut(cli: CliContext, spans: readonly Span[]): void {
  printLines(cli.screen.out, layOut(spans, cli.layoutOf(cli.screen.out)));
}

/** What there is to say about it. */
export function printErr(cli: CliContext, spans: readonly Span[]): void {
  printLines(cli.screen.err, layOut(spans, cli.layoutOf(cli.screen.err)));
}

export function rootOf(cli: CliContext): string {
  return findProjectRoot(cli.cwd, cli.environment.home);
}
