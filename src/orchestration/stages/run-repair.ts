import { type CoderRecord, readCoderRecord } from "../../contract/scenarios/coder-record.ts";
import { stageRepairKind, writeRepairJob } from "../../contract/stages/repair-job.ts";
import {
  type StageArtifactValue,
  writeStageArtifact,
} from "../../contract/stages/stage-artifacts.ts";
import {
  latest,
  type RepairPrepared,
  type StageProcess,
} from "../../domain/stages/stage-history.ts";
import { stageCommand } from "../../domain/stages/step-guidance.ts";
import { defined } from "../../domain/values/defined.ts";
import { runId } from "../../domain/values/ids.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { CoderProgram, EvidenceWatch, WatchEvidence } from "../../ports/coder.ts";
import type { Engine } from "../../ports/engine.ts";
import type { Ending } from "../../ports/flow.ts";
import type { RecordFile } from "../../ports/record-files.ts";
import { writeCoderResult } from "../../protocol/scenarios/repair-prompt.ts";
import { beginRun } from "../runs/begin-run.ts";
import { coderCommand, failedBy, unseenCoder } from "../scenarios/run-coder-once.ts";
import { loadStage } from "./load-stage.ts";
import { type Recording, recordDecision, recordStage } from "./record-stage.ts";
import {
  type NewEntry,
  refuseClosed,
  refuseWhileCoding,
  type Stage,
  StageBusy,
  type StageParts,
  type StageState,
} from "./stage.ts";

export interface CoderTemplate extends CoderProgram {
  /** As it was typed; absent for the manifest's own. */
  readonly given?: readonly string[];
}

export interface RepairParts extends StageParts {
  readonly engine: Engine;
  readonly newId: () => string;
  readonly self: StageProcess;
  readonly watchEvidence: WatchEvidence;
  /** Whether the loop is running. */
  readonly isPlaying: (loopFolder: string) => Promise<boolean>;
}

export type RepairExecution = StageArtifactValue<"repair_execution_summary.json">;

export interface Repaired {
  readonly state: StageState;
  readonly execution: RepairExecution;
  /** As it could be typed. */
  readonly commandLine: string;
}

/** Writes the exact command and starts nothing. */
export async function dryRunRepair(
  parts: StageParts,
  stage: Stage,
  { coder, seen }: { readonly coder: CoderTemplate } & Recording,
): Promise<Repaired> {
  const { state, result } = await recordDecision(parts, stage, { seen }, (before) => {
    const order = orderOf(stage, nextRepair(stage, before), coder);
    const { commandLine } = order;
    const execution = plannedExecution(parts, order);
    const change = { entries: [executed(execution)], files: commandFiles(order, execution) };
    return { change, result: { execution, commandLine } };
  });
  return { state, ...result };
}

/**
 * Runs the coder on the prepared repair. Its start is recorded first, as interrupted, so a coder without a recorded end
 * never counts as a repair.
 */
export async function executeRepair(
  parts: RepairParts,
  stage: Stage,
  how: {
    readonly coder: CoderTemplate;
    readonly signal: AbortSignal;
    /** The start is recorded. */
    readonly onStarted?: () => void;
  } & Recording,
): Promise<Repaired> {
  const order = await startRepair(parts, stage, how);
  how.onStarted?.();
  const watch = await parts.watchEvidence(stage.folder);
  const guard = watch.digests;
  const claimed = await runRepair(parts, stage, { order, guard, signal: how.signal });
  const tampered = await watch.changed();
  const record = tampered.length === 0 ? claimed : { ...claimed, ...failedBy(tampered) };
  const execution = finishedExecution(order, record, tampered);
  const endedAt = parts.clock.now();
  const state = await recordStage(parts, stage, () => ({
    entries: [ended(execution, endedAt)],
    files: resultFiles(order, record, execution),
  }));
  return { state, execution, commandLine: order.commandLine };
}

/** Aborting the signal cancels the run, which ends the coder. The stage ensures that a repair is run once. */
async function runRepair(
  { engine, clock, newId, self }: RepairParts,
  { folder }: Stage,
  about: {
    readonly order: Order;
    readonly guard: EvidenceWatch["digests"];
    readonly signal: AbortSignal;
  },
): Promise<CoderRecord> {
  const { order, guard, signal } = about;
  const { iterationId, globs, argv, timeoutMs, reads, input } = order;
  const command = { argv, timeoutMs, reads, input };
  const startedAt = clock.now();
  const run = runId(newId());
  await beginRun(engine, {
    run,
    jobOf: () => ({
      id: `${stageRepairKind}/${folder}/${iterationId}/${run}`,
      kind: stageRepairKind,
      input: writeRepairJob({ folder, iterationId, command, globs, guard, orderedBy: self }),
      settings: {},
      createdAt: startedAt,
    }),
  });
  // A run that is over needs no cancelling, and a store that cannot be written fails the run itself.
  const cancel = (): Promise<void> => engine.cancel(run, stoppedByPerson).catch(() => undefined);
  signal.addEventListener("abort", cancel);
  try {
    if (signal.aborted) await cancel();
    const ending = await engine.ending(run, new AbortController().signal);
    return ending.kind === "finished"
      ? readCoderRecord(ending.result)
      : { startedAt, finishedAt: clock.now(), ...unfinished(ending) };
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

const stoppedByPerson = "the coder was stopped by a person";

function unfinished(ending: Exclude<Ending, { readonly kind: "finished" }>) {
  switch (ending.kind) {
    case "failed":
      return unseenCoder("failed", ending.error.message);
    case "cancelled":
      return unseenCoder("interrupted", ending.reason);
    default:
      return unseenCoder("interrupted", `the repair's run ended as ${ending.kind}`);
  }
}

interface Order extends ReturnType<typeof coderCommand> {
  readonly iterationId: string;
  /** Below the stage. */
  readonly place: string;
  readonly globs: readonly string[];
  readonly given?: readonly string[];
}

async function startRepair(
  parts: RepairParts,
  stage: Stage,
  { coder, seen }: { readonly coder: CoderTemplate } & Recording,
): Promise<Order> {
  const now = await loadStage(parts, { folder: stage.folder });
  if (now.openLoop !== undefined) {
    const folder = `${stage.folder}/domain_loops/${now.openLoop}`;
    if (await parts.isPlaying(folder)) {
      const why = "a repair now would mix old and new answers";
      throw new StageBusy(`${now.openLoop} is running; ${why}.`, {
        code: "loop-at-work",
        facts: { loop: now.openLoop },
        hint: "Wait until it has ended.",
      });
    }
  }
  const { result } = await recordDecision(parts, stage, { seen }, async (before) => {
    const { iterationId } = nextRepair(stage, before);
    const file = `repair_iterations/${iterationId}/repair_prompt.md`;
    const prompt = await parts.folders.read(stage.folder, file);
    if (prompt === undefined) throw promptMissing(file);
    const order = orderOf(stage, { iterationId, prompt }, coder);
    const execution: RepairExecution = {
      ...plannedExecution(parts, order),
      dryRun: false,
      coderStatus: "interrupted",
      summary: "the coder was started and has not ended",
      process: parts.self,
    };
    const change = {
      entries: [{ event: { kind: "repair-started", iterationId } as const, process: parts.self }],
      files: commandFiles(order, execution),
      // What was asked before a repair cannot prove it.
      openLoop: "none",
    };
    return { change, result: order };
  });
  return result;
}

/** The prepared repair; each one is executed once. */
function nextRepair(stage: Stage, before: StageState): { readonly iterationId: string } {
  refuseWhileCoding(before);
  refuseClosed(stage, before);
  const prepare = stageCommand("prepare-repair", { manifest: stage.manifestPath });
  const prepared = latest<RepairPrepared>(before.history, "repair-prepared");
  if (prepared === undefined || prepared.iterationId.includes("/")) {
    throw new ConfigurationError("No repair is prepared.", {
      code: "repair-missing",
      hint: `Prepare one: ${prepare}`,
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
      hint: `Look at its results, then prepare another: ${prepare}`,
    });
  }
  return { iterationId };
}

function orderOf(
  stage: Stage,
  { iterationId, prompt = "" }: { readonly iterationId: string; readonly prompt?: string },
  coder: CoderTemplate,
): Order {
  const place = `repair_iterations/${iterationId}`;
  const file = `${stage.folder}/${place}/repair_prompt.md`;
  return {
    iterationId,
    place,
    ...coderCommand(coder, { text: prompt, file }),
    globs: [...new Set(Object.values(stage.manifest.fileHints).flat())],
    ...defined({ given: coder.given }),
  };
}

function plannedExecution({ clock }: StageParts, order: Order): RepairExecution {
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

function executed({ iterationId, dryRun, coderStatus }: RepairExecution): NewEntry {
  return { event: { kind: "repair-executed", iterationId, dryRun, coderStatus } };
}

/** A coder that this process watched to its end. */
function ended(execution: RepairExecution, endedAt: string): NewEntry {
  const { iterationId, coderStatus, tampered } = execution;
  const evidence = tampered === undefined ? "intact" : "tampered";
  const facts = { iterationId, dryRun: false, coderStatus, endedAt, evidence } as const;
  return { event: { kind: "repair-executed", ...facts, ...defined({ tampered }) } };
}

function commandFiles(order: Order, execution: RepairExecution): readonly RecordFile[] {
  return [
    { name: `${order.place}/repair_coder.command.txt`, content: `${order.commandLine}\n` },
    summaryFile(order, execution),
  ];
}

function summaryFile({ place }: Order, execution: RepairExecution): RecordFile {
  const name = "repair_execution_summary.json";
  return { name: `${place}/${name}`, content: writeStageArtifact(name, execution) };
}

function finishedExecution(
  order: Order,
  record: CoderRecord,
  tampered: readonly string[],
): RepairExecution {
  const { status, summary, startedAt, finishedAt, exitCode, timedOut, claim, change } = record;
  const { changedFiles = [], ...code } = change ?? {};
  return {
    iterationId: order.iterationId,
    dryRun: false,
    command: order.argv,
    coderStatus: status,
    summary,
    startedAt,
    finishedAt,
    ...defined({ exitCode }),
    timedOut,
    claimedFiles: claim.changedFiles,
    ...defined({ decisionNeeded: claim.decisionNeeded }),
    changedFiles,
    ...(tampered.length === 0 ? {} : { tampered }),
    ...("kind" in code ? { code } : {}),
    resultFile: "repair_coder_result.json",
    stdoutFile: "repair_coder.stdout.txt",
    stderrFile: "repair_coder.stderr.txt",
  };
}

function resultFiles(
  order: Order,
  { claim, stdout, stderr }: CoderRecord,
  execution: RepairExecution,
): readonly RecordFile[] {
  const { place } = order;
  const said = JSON.stringify(JSON.parse(writeCoderResult(claim)), null, 2);
  return [
    { name: `${place}/repair_coder.stdout.txt`, content: stdout },
    { name: `${place}/repair_coder.stderr.txt`, content: stderr },
    { name: `${place}/repair_coder_result.json`, content: `${said}\n` },
    summaryFile(order, execution),
  ];
}

function promptMissing(file: string): ConfigurationError {
  return new ConfigurationError(`${file} is missing.`, {
    code: "prompt-missing",
    facts: { file },
    hint: "Prepare the repair again.",
  });
}
