import {
  type StageArtifactValue,
  writeStageArtifact,
} from "../../contract/stages/write-stage-artifact.ts";
import type { CoderStatus, StageProcess } from "../../domain/stages/stage-history.ts";
import { defined } from "../../domain/values/defined.ts";
import { shellWord } from "../../domain/values/shell-word.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { CoderRun, RunCoder } from "../../ports/coder.ts";
import type { RecordFile } from "../../ports/record-files.ts";
import {
  type CoderResult,
  readCoderResult,
  writeCoderResult,
} from "../../protocol/scenarios/repair-prompt.ts";
import { loadStage } from "./load-stage.ts";
import { type Recording, recordStage } from "./record-stage.ts";
import {
  type NewEntry,
  refuseWhileCoding,
  type Stage,
  StageBusy,
  type StageParts,
  type StageState,
} from "./stage.ts";
import { latest } from "./stage-files.ts";

/** What a coder changed, seen from outside. */
export interface CodeChange {
  readonly kind: "git" | "files";
  readonly before: string;
  readonly after: string;
  readonly diffStat: string;
  readonly changedFiles: readonly string[];
}

/** Remembers the code as it is and says later what is different; `globs` matter only outside git. */
export type WatchCode = (globs: readonly string[]) => Promise<() => Promise<CodeChange>>;

/** How to run the coder: `{prompt_file}` in an argument is the prompt's path, else it goes to standard input. */
export interface CoderTemplate {
  readonly argv: readonly string[];
  readonly timeoutMs: number;
  /** The last message inside what the program prints. */
  readonly replyOf: (stdout: string) => string;
  /** As somebody typed it; absent for the manifest's own. */
  readonly given?: readonly string[];
}

export interface RepairParts extends StageParts {
  readonly runCoder: RunCoder;
  readonly watchCode: WatchCode;
  readonly self: StageProcess;
  /** The loop is being played at this moment. */
  readonly isPlaying: (loopFolder: string) => Promise<boolean>;
}

export type Execution = StageArtifactValue<"repair_execution_summary.json">;

export interface Repaired {
  readonly state: StageState;
  readonly execution: Execution;
  /** As it could be typed. */
  readonly commandLine: string;
}

/** Writes the exact command and starts nothing. */
export async function dryRunRepair(
  parts: StageParts,
  stage: Stage,
  { coder, seen }: { readonly coder: CoderTemplate } & Recording,
): Promise<Repaired> {
  let execution: Execution | undefined;
  let commandLine = "";
  const state = await recordStage(
    parts,
    stage,
    (before) => {
      const order = orderOf(stage, before, coder);
      commandLine = order.commandLine;
      execution = plannedExecution(parts, order);
      return { entries: [dryRunEntry(order.iterationId)], files: commandFiles(order, execution) };
    },
    seen === undefined ? {} : { seen },
  );
  if (execution === undefined) throw new Error("a recorded execution is missing");
  return { state, execution, commandLine };
}

/**
 * Runs the coder on the prepared repair. That it starts is recorded first, as interrupted: whatever happens to this
 * process, a coder without a recorded end never passes for a repair.
 */
export async function executeRepair(
  parts: RepairParts,
  stage: Stage,
  how: { readonly coder: CoderTemplate; readonly signal: AbortSignal } & Recording,
): Promise<Repaired> {
  const order = await startRepair(parts, stage, how);
  const changes = await parts.watchCode(order.globs);
  parts.crash.reach("coder-starting");
  const ended = await runToEnd(parts, order, how.signal);
  parts.crash.reach("coder-over");
  const change = await changes();
  const execution = finishedExecution(parts, order, { ended, change });
  const entry: NewEntry = {
    event: {
      kind: "repair-executed",
      iterationId: order.iterationId,
      dryRun: false,
      coderStatus: execution.coderStatus,
    },
    evidence: {},
  };
  const state = await recordStage(parts, stage, () => ({
    entries: [entry],
    files: resultFiles(order, ended, execution),
  }));
  return { state, execution, commandLine: order.commandLine };
}

interface Order {
  readonly iterationId: string;
  /** Below the stage. */
  readonly place: string;
  readonly argv: readonly string[];
  readonly commandLine: string;
  readonly prompt: string;
  readonly timeoutMs: number;
  readonly replyOf: (stdout: string) => string;
  readonly globs: readonly string[];
  readonly given?: readonly string[];
  readonly startedAt: string;
}

async function startRepair(
  parts: RepairParts,
  stage: Stage,
  { coder, seen }: { readonly coder: CoderTemplate } & Recording,
): Promise<Order> {
  const now = await loadStage(parts, stage);
  if (now.openLoop !== undefined) {
    const folder = `${stage.folder}/domain_loops/${now.openLoop}`;
    if (await parts.isPlaying(folder)) throw loopAtWork(now.openLoop);
  }
  let started: Order | undefined;
  await recordStage(
    parts,
    stage,
    async (before) => {
      const order = orderOf(stage, before, coder);
      const prompt = await parts.folders.read(stage.folder, `${order.place}/repair_prompt.md`);
      if (prompt === undefined) throw promptMissing(order);
      const startedAt = parts.clock.now();
      started = { ...order, prompt: readsFile(coder) ? "" : prompt, startedAt };
      const execution: Execution = {
        ...plannedExecution(parts, order),
        dryRun: false,
        coderStatus: "interrupted",
        summary: "the coder was started and has not ended",
        process: parts.self,
      };
      return {
        entries: [
          {
            event: { kind: "repair-started", iterationId: order.iterationId },
            evidence: {},
            process: parts.self,
          },
        ],
        files: commandFiles(order, execution),
        // What was asked before a repair cannot prove it.
        openLoop: "none",
      };
    },
    seen === undefined ? {} : { seen },
  );
  if (started === undefined) throw new Error("a recorded repair is missing");
  return started;
}

type Plain = Omit<Order, "prompt" | "startedAt">;

/** The command for the prepared repair; each prepared repair is executed once. */
function orderOf(stage: Stage, before: StageState, coder: CoderTemplate): Plain {
  refuseWhileCoding(before);
  const prepared = latest(before.history, "repair-prepared");
  if (prepared?.kind !== "repair-prepared" || prepared.iterationId.includes("/")) {
    throw new ConfigurationError("No repair is prepared.", {
      code: "repair-missing",
      hint: `Prepare one: signoff stage prepare-repair --manifest ${shellWord(stage.manifestPath)}`,
    });
  }
  const { iterationId } = prepared;
  const wasRun = before.history.some(
    (event) => event.kind === "repair-started" && event.iterationId === iterationId,
  );
  if (wasRun) {
    throw new ConfigurationError(`${iterationId} was executed before.`, {
      code: "repair-executed",
      facts: { iteration_id: iterationId },
      hint: `Look at what it left, then prepare another: signoff stage prepare-repair --manifest ${shellWord(stage.manifestPath)}`,
    });
  }
  const place = `repair_iterations/${iterationId}`;
  const promptFile = `${stage.folder}/${place}/repair_prompt.md`;
  const argv = coder.argv.map((word) => word.replaceAll("{prompt_file}", promptFile));
  const input = readsFile(coder) ? " < /dev/null" : ` < ${shellWord(promptFile)}`;
  return {
    iterationId,
    place,
    argv,
    commandLine: `${argv.map(shellWord).join(" ")}${input}`,
    timeoutMs: coder.timeoutMs,
    replyOf: coder.replyOf,
    globs: [...new Set(Object.values(stage.manifest.fileHints).flat())],
    ...defined({ given: coder.given }),
  };
}

function readsFile({ argv }: CoderTemplate): boolean {
  return argv.some((word) => word.includes("{prompt_file}"));
}

function plannedExecution({ clock }: StageParts, order: Plain): Execution {
  return {
    iterationId: order.iterationId,
    dryRun: true,
    command: order.argv,
    ...defined({ givenCoder: order.given }),
    coderStatus: "no_change",
    summary: "",
    startedAt: clock.now(),
    claimedFiles: [],
    changedFiles: [],
  };
}

function dryRunEntry(iterationId: string): NewEntry {
  return {
    event: { kind: "repair-executed", iterationId, dryRun: true, coderStatus: "no_change" },
    evidence: {},
  };
}

function commandFiles(order: Plain, execution: Execution): readonly RecordFile[] {
  return [
    { name: `${order.place}/repair_coder.command.txt`, content: `${order.commandLine}\n` },
    summaryFile(order, execution),
  ];
}

function summaryFile({ place }: Plain, execution: Execution): RecordFile {
  const name = "repair_execution_summary.json";
  return { name: `${place}/${name}`, content: writeStageArtifact(name, execution) };
}

interface CoderEnd {
  readonly run: CoderRun;
  readonly result: CoderResult;
}

/** A coder that cannot be started, fails or is stopped is an ending like any other, and is recorded. */
async function runToEnd(parts: RepairParts, order: Order, signal: AbortSignal): Promise<CoderEnd> {
  const { argv, prompt, timeoutMs } = order;
  const nothing = { stdout: "", stderr: "", timedOut: false };
  const unread = (status: CoderStatus, summary: string) => ({ status, summary, changedFiles: [] });
  try {
    const run = await parts.runCoder({ argv, prompt, timeoutMs }, signal);
    const said = readCoderResult(order.replyOf(run.stdout));
    if (run.timedOut) return { run, result: { ...said, ...unread("failed", timeoutText(order)) } };
    if (run.exitCode === 0) return { run, result: said };
    const how = run.exitCode === undefined ? "was ended by a signal" : `exit code ${run.exitCode}`;
    const summary = `Command failed (${how}): ${order.commandLine}`;
    return { run, result: { ...said, status: "failed", summary } };
  } catch (error) {
    if (signal.aborted) {
      return { run: nothing, result: unread("interrupted", "the coder was stopped by a person") };
    }
    const why = error instanceof Error ? error.message : String(error);
    return { run: { ...nothing, stderr: `${why}\n` }, result: unread("failed", why) };
  }
}

function timeoutText({ timeoutMs }: Order): string {
  return `the coder was not done after ${Math.round(timeoutMs / 1000)} s and was ended`;
}

/** What is observed is stricter than what is claimed: changed files need a proof even if the coder denies them. */
function finishedExecution(
  { clock }: StageParts,
  order: Order,
  { ended, change }: { readonly ended: CoderEnd; readonly change: CodeChange },
): Execution {
  const { run, result } = ended;
  const { changedFiles, ...code } = change;
  const denies = result.status === "no_change" && changedFiles.length > 0;
  const claimsMore = result.status === "patched" && changedFiles.length === 0;
  const remark = denies
    ? " (the coder says that it changed nothing, but files are different)"
    : claimsMore
      ? " (no watched file is different)"
      : "";
  return {
    iterationId: order.iterationId,
    dryRun: false,
    command: order.argv,
    coderStatus: denies ? "patched" : result.status,
    summary: `${result.summary}${remark}`,
    startedAt: order.startedAt,
    finishedAt: clock.now(),
    ...defined({ exitCode: run.exitCode }),
    timedOut: run.timedOut,
    claimedFiles: result.changedFiles,
    ...defined({ decisionNeeded: result.decisionNeeded }),
    changedFiles,
    code,
    resultFile: "repair_coder_result.json",
    stdoutFile: "repair_coder.stdout.txt",
    stderrFile: "repair_coder.stderr.txt",
  };
}

function resultFiles(order: Order, ended: CoderEnd, execution: Execution): readonly RecordFile[] {
  const { place } = order;
  const { run, result } = ended;
  const said = JSON.stringify(JSON.parse(writeCoderResult(result)), null, 2);
  return [
    { name: `${place}/repair_coder.stdout.txt`, content: run.stdout },
    { name: `${place}/repair_coder.stderr.txt`, content: run.stderr },
    { name: `${place}/repair_coder_result.json`, content: `${said}\n` },
    summaryFile(order, execution),
  ];
}

function loopAtWork(loop: string): StageBusy {
  return new StageBusy(`${loop} is being played; a repair now would mix old and new answers.`, {
    code: "loop-at-work",
    facts: { loop },
    hint: "Wait until it has ended.",
  });
}

function promptMissing({ place }: Plain): ConfigurationError {
  return new ConfigurationError(`${place}/repair_prompt.md is missing.`, {
    code: "prompt-missing",
    facts: { place },
    hint: "Prepare the repair again.",
  });
}
