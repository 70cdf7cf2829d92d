import { WorkflowError } from "../../domain/values/workflow-error.ts";
import type { StoredError } from "../../ports/runner.ts";
import { withCommands } from "./copyable-command.ts";
import { exitCode, exitCodeOfError } from "./exit-code.ts";
import { type Inline, type Layout, layOut, type Span } from "./lay-out.ts";
import { clipped } from "./row.ts";
import { bad, muted } from "./styles.ts";

export interface ErrorLayout extends Layout {
  readonly debug: boolean;
}

const longestMessage = 2_000;
const longestStack = 20_000;

/** One paragraph: what happened, to what, what to do next; with `--debug` also the stack. */
export function renderError(error: unknown, layout: ErrorLayout): readonly string[] {
  const message = error instanceof Error ? error.message : String(error);
  const spans =
    exitCodeOfError(error) === exitCode.bug
      ? bugSpans(message, layout.debug)
      : errorSpans(message, error instanceof WorkflowError ? error.hint : undefined);
  const lines = layOut(spans, layout);
  if (!layout.debug) return lines;
  return [...lines, "", ...renderCause(error, layout)];
}

/** The stack of an error, and of everything that caused it. */
export function renderCause(error: unknown, layout: Layout): readonly string[] {
  return layOut([muted(stackOf(error))], layout, indent);
}

/** The same paragraph for an error that comes from the record. */
export function renderStoredError(error: StoredError, layout: Layout): readonly string[] {
  if (error.code === "internal-error") return layOut(bugSpans(error.message, false), layout);
  return layOut(errorSpans(error.message, hintOf(error)), layout);
}

/** The hint of a stored error, if it has one. */
export function hintOf({ facts }: StoredError): string | undefined {
  return isRecord(facts) && typeof facts.hint === "string" ? facts.hint : undefined;
}

const indent: readonly Span[] = [{ text: "  " }];

function errorSpans(message: string, hint: string | undefined): readonly Inline[] {
  return [
    bad("Error: "),
    ...withCommands(sentence(message)),
    ...(hint === undefined ? [] : withCommands(` ${sentence(hint)}`)),
  ];
}

function bugSpans(message: string, debug: boolean): readonly Span[] {
  const next = debug
    ? "Please report it with the details below."
    : "Run the same command with --debug for details, and please report it.";
  return [
    bad("This is a bug in signoff: "),
    { text: `${sentence(message)} Recorded replies are safe. ${next}` },
  ];
}

function sentence(text: string): string {
  const trimmed = clipped(text.trim(), longestMessage) || "No reason was given.";
  return /[.!?…]$/u.test(trimmed) ? trimmed : `${trimmed}.`;
}

function stackOf(error: unknown): string {
  const stacks: string[] = [];
  for (let at = error, depth = 0; at !== undefined && depth < 8; depth += 1) {
    stacks.push(at instanceof Error ? (at.stack ?? at.message) : String(at));
    at = at instanceof Error ? at.cause : undefined;
  }
  return clipped(stacks.join("\ncaused by "), longestStack);
}

function isRecord(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
