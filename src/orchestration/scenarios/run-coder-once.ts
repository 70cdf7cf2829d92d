import {
  type CoderRecord,
  readCoderRecord,
  writeCoderRecord,
} from "../../contract/scenarios/coder-record.ts";
import { defined } from "../../domain/values/defined.ts";
import { type Key, key } from "../../domain/values/ids.ts";
import { shellWord } from "../../domain/values/shell-word.ts";
import type { Clock } from "../../ports/clock.ts";
import type {
  CodeChange,
  CoderCommand,
  CoderProgram,
  CoderRun,
  RunCoder,
  WatchCode,
  WatchEvidence,
} from "../../ports/coder.ts";
import type { FlowContext } from "../../ports/flow.ts";
import { type CoderResult, readCoderResult } from "../../protocol/scenarios/repair-prompt.ts";

export interface CoderTools {
  /** Throws unless the user agreed to this program. Asked before its start is recorded, so that a resume asks again. */
  readonly allow?: (program: Pick<CoderProgram, "argv">) => void;
  readonly runCoder: RunCoder;
  readonly watchCode: WatchCode;
  readonly watchEvidence: WatchEvidence;
  readonly clock: Pick<Clock, "now">;
}

/** The command for this prompt, which is also in a file. */
export function coderCommand(
  program: CoderProgram,
  prompt: { readonly text: string; readonly file: string },
): CoderCommand & { readonly commandLine: string } {
  const { argv, timeoutMs, reads } = program;
  const takesFile = argv.some((word) => word.includes("{prompt_file}"));
  const words = argv.map((word) => word.replaceAll("{prompt_file}", prompt.file));
  const source = takesFile ? "/dev/null" : shellWord(prompt.file);
  return {
    argv: words,
    timeoutMs,
    reads,
    input: takesFile ? "" : prompt.text,
    commandLine: `${words.map(shellWord).join(" ")} < ${source}`,
  };
}

/**
 * Runs the coder at most once per run. Its start is recorded first: an execution that finds a start without an end
 * reports the coder as interrupted, because an earlier process may have run it. A coder that cannot be started, fails
 * or takes too long has ended too. Its reply is a claim; only a replay proves it.
 */
export async function runCoderOnce(
  ctx: FlowContext,
  tools: CoderTools,
  order: {
    readonly at: Key;
    readonly command: CoderCommand;
    /** Watched for changes where there is no git. */
    readonly globs: readonly string[];
    /** The loop whose evidence it must not touch; absent where whoever started the run watches over it. */
    readonly folder?: string;
    /** False in a process that did not order it. */
    readonly mayStart?: boolean;
  },
): Promise<CoderRecord> {
  const { at, command, globs, folder, mayStart = true } = order;
  const { argv, timeoutMs, reads, input } = command;
  let isFirst = false;
  const startedAt = await ctx.step(key(at, "start"), null, async () => {
    if (mayStart) tools.allow?.(command);
    isFirst = true;
    return tools.clock.now();
  });
  const facts = { argv, timeoutMs, reads, input };
  const recorded = await ctx.step(at, facts, async (signal) => {
    if (!isFirst || !mayStart) {
      return writeCoderRecord({ startedAt, finishedAt: tools.clock.now(), ...lost });
    }
    const changes = await tools.watchCode(globs);
    const evidence = folder === undefined ? undefined : await tools.watchEvidence(folder);
    ctx.checkpoint("coder-starting");
    const { run, claim } = await runToEnd(tools.runCoder, command, signal);
    ctx.checkpoint("coder-over");
    const tampered = (await evidence?.changed()) ?? [];
    const change = await changes();
    const { stdout, stderr, exitCode, timedOut } = run;
    return writeCoderRecord({
      startedAt,
      finishedAt: tools.clock.now(),
      ...(tampered.length === 0 ? believed(claim, change) : failedBy(tampered)),
      claim,
      stdout,
      stderr,
      ...defined({ exitCode }),
      timedOut,
      change,
      ...(tampered.length === 0 ? {} : { tampered }),
    });
  });
  return readCoderRecord(recorded);
}

/** A coder whose end was not observed. */
export function unseenCoder(status: "interrupted" | "failed", summary: string) {
  const claim = { status, summary, changedFiles: [] };
  return { status, summary, claim, stdout: "", stderr: "", timedOut: false };
}

const lost = unseenCoder("interrupted", "the coder may have been running when the process ended");

async function runToEnd(
  runCoder: RunCoder,
  command: CoderCommand,
  signal: AbortSignal,
): Promise<{ readonly run: CoderRun; readonly claim: CoderResult }> {
  try {
    const run = await runCoder(command, signal);
    return { run, claim: claimOf(run, command) };
  } catch (error) {
    if (signal.aborted) throw error;
    const summary = error instanceof Error ? error.message : String(error);
    const run = { stdout: "", stderr: `${summary}\n`, reply: "", timedOut: false };
    return { run, claim: { status: "failed", summary, changedFiles: [] } };
  }
}

function claimOf(run: CoderRun, { argv, timeoutMs }: CoderCommand): CoderResult {
  const claim = readCoderResult(run.reply);
  if (run.timedOut) {
    const seconds = Math.round(timeoutMs / 1000);
    const summary = `the coder did not finish within ${seconds} s and was stopped`;
    return { ...claim, status: "failed", summary, changedFiles: [] };
  }
  if (run.exitCode === 0) return claim;
  const how = run.exitCode === undefined ? "ended by a signal" : `exit code ${run.exitCode}`;
  const summary = `Command failed (${how}): ${argv.map(shellWord).join(" ")}`;
  return { ...claim, status: "failed", summary };
}

/** A coder that changed what its proof would rest on has failed, whatever else it did. */
export function failedBy(tampered: readonly string[]) {
  const summary = `the coder changed what its proof would rest on: ${tampered.join(", ")}`;
  return { status: "failed" as const, summary };
}

/** Observation outranks the claim: changed files need proof even if the coder denies changing them. */
function believed({ status, summary }: CoderResult, { changedFiles }: CodeChange) {
  if (status === "no_change" && changedFiles.length > 0) {
    const remark = "(the coder claims no change, but files are different)";
    return { status: "patched" as const, summary: `${summary} ${remark}` };
  }
  const isUnseen = status === "patched" && changedFiles.length === 0;
  return { status, summary: isUnseen ? `${summary} (no watched file is different)` : summary };
}
