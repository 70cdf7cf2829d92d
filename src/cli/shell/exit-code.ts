import type { CompletionReason } from "../../domain/drafting/draft-outcome.ts";
import type { DraftSession } from "../../domain/drafting/session.ts";
import {
  ApprovalTimeoutError,
  ConfigurationError,
  ModelNotFoundError,
  WorkflowError,
} from "../../domain/values/workflow-error.ts";
import type { Ending, RunStopReason } from "../../ports/flow.ts";

/** Frozen: scripts rely on these numbers. */
export const exitCode = {
  accepted: 0,
  notAccepted: 1,
  usage: 2,
  waiting: 3,
  budget: 4,
  outside: 5,
  bug: 70,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** Usage errors come first: they end a command before it has several items to compare. */
const worstFirst: readonly ExitCode[] = [
  exitCode.usage,
  exitCode.interrupted,
  exitCode.bug,
  exitCode.outside,
  exitCode.budget,
  exitCode.waiting,
  exitCode.notAccepted,
];

/** The exit code of a command that did several things; 0 if it did nothing. */
export function worstExitCode(codes: Iterable<ExitCode>): ExitCode {
  const seen = new Set(codes);
  return worstFirst.find((code) => seen.has(code)) ?? exitCode.accepted;
}

/** The exit code for a thrown value. Any error that was not thrown on purpose is a bug. */
export function exitCodeOfError(error: unknown): ExitCode {
  if (error instanceof ApprovalTimeoutError) return exitCode.notAccepted;
  if (error instanceof ConfigurationError || error instanceof ModelNotFoundError) {
    return exitCode.usage;
  }
  if (error instanceof WorkflowError) return exitCodeOfErrorCode(error.code);
  if (!(error instanceof Error)) return exitCode.bug;
  if (error.name === "AbortError") return exitCode.interrupted;
  return exitCodeOfForeignError(error);
}

/** The exit code of an execution that ended. A finished run without a session has no verdict, so finishing is enough. */
export function exitCodeOfEnding(
  ending: Ending,
  session?: Pick<DraftSession, "completionReason">,
): ExitCode {
  switch (ending.kind) {
    case "finished":
      return session === undefined ? exitCode.accepted : codeOfReason(session.completionReason);
    case "waiting":
      return exitCode.waiting;
    case "stopped":
      return codeOfStop[ending.reason];
    case "failed":
      return exitCodeOfErrorCode(ending.error.code);
    case "cancelled":
      return exitCode.interrupted;
  }
}

const codeOfStop: { readonly [reason in RunStopReason]: ExitCode } = {
  budget: exitCode.budget,
  interrupted: exitCode.interrupted,
  "definition-changed": exitCode.usage,
};

/** An unknown reason is not an approval. */
function codeOfReason(reason: CompletionReason | undefined): ExitCode {
  switch (reason) {
    case "approved":
      return exitCode.accepted;
    case "budget":
      return exitCode.budget;
    case "cancelled":
    case "interrupted":
      return exitCode.interrupted;
    case "error":
      return exitCode.outside;
    case "max_turns":
    case "stalled":
    case "oscillating":
    case "late_issues":
    case undefined:
      return exitCode.notAccepted;
  }
}

/** Stored errors have no class, only their stable code. */
const codeOfErrorCode: ReadonlyMap<string, ExitCode> = new Map([
  ["internal-error", exitCode.bug],
  ["episode-invalid", exitCode.usage],
  ["episode-file-invalid", exitCode.usage],
  ["bad-manifest", exitCode.usage],
  ["weak-questions", exitCode.notAccepted],
  ["definition-changed", exitCode.usage],
  ["model-not-found", exitCode.usage],
  ["bad-base-url", exitCode.usage],
  ["command-unknown", exitCode.usage],
  ["script-unreadable", exitCode.usage],
  ["script-invalid", exitCode.usage],
  ["run-unknown", exitCode.usage],
  ["run-ambiguous", exitCode.usage],
  ["run-over", exitCode.usage],
  ["run-not-a-draft", exitCode.usage],
  ["run-undecided", exitCode.usage],
  ["run-not-over", exitCode.usage],
  ["run-is-child", exitCode.usage],
  ["run-empty", exitCode.usage],
  ["turn-unknown", exitCode.usage],
  ["decision-unknown", exitCode.usage],
  ["attempt-unknown", exitCode.usage],
  ["call-unknown", exitCode.usage],
  ["no-turn", exitCode.usage],
  ["budget", exitCode.budget],
  ["over-budget", exitCode.budget],
  ["cancelled", exitCode.interrupted],
  ["interrupted", exitCode.interrupted],
]);

function exitCodeOfErrorCode(code: string): ExitCode {
  return codeOfErrorCode.get(code) ?? exitCode.outside;
}

/** Errors of Node, SQLite and the command line parser, distinguished by their code alone. */
function exitCodeOfForeignError(error: Error): ExitCode {
  const { code, exitCode: wanted, syscall } = error as { readonly [name: string]: unknown } & Error;
  if (typeof code !== "string") return exitCode.bug;
  if (code.startsWith("commander.")) return wanted === 0 ? exitCode.accepted : exitCode.usage;
  if (damagedOrBusyStore.test(code)) return exitCode.outside;
  return typeof syscall === "string" ? exitCode.outside : exitCode.bug;
}

const damagedOrBusyStore =
  /^SQLITE_(?:BUSY|LOCKED|FULL|IOERR|CORRUPT|NOTADB|CANTOPEN|READONLY|PERM|AUTH|PROTOCOL)(?:_|$)/;
