import { resolve } from "node:path";
import { defined } from "../../domain/values/defined.ts";
import { visibleLine } from "../../domain/values/visible.ts";
import {
  type Ingested,
  ingestReply,
  type LivePrompt,
  retryRun,
  writePrompts,
} from "../../orchestration/gates/live-review.ts";
import { adoptMovesCommand } from "../../orchestration/gates/status-report.ts";
import { authorOf } from "../../wiring/project/author.ts";
import { readTextFile } from "../../wiring/project/save-text.ts";
import { renderCount } from "../shell/amounts.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { exitCode } from "../shell/exit-code.ts";
import { invalidFlag } from "../shell/flag-values.ts";
import { type JsonFlags, printResult } from "../shell/print.ts";
import { modelsOf, notesSession, type ScopeFlags, scopeOf } from "./notes-context.ts";
import { changeNotes, withNotes } from "./with-notes.ts";

export interface PromptFlags extends ScopeFlags {
  readonly strategy?: "by-note" | "by-gate";
  readonly allowDirtyGates?: boolean;
}

export async function writePromptsCommand(
  cli: CliContext,
  paths: readonly string[],
  flags: PromptFlags,
): Promise<void> {
  const session = await notesSession(cli, flags);
  const { root } = session;
  await changeNotes(cli, session, async ({ tools, engine }) => {
    const [model, ...others] = modelsOf(cli, session, flags);
    if (model === undefined || others.length > 0)
      throw invalidFlag("A prompt is for one agent: name its model with --model.");
    const prompts = await writePrompts(tools, engine, {
      ...scopeOf(cli, root, { paths, flags }),
      model,
      strategy: flags.strategy ?? "by-note",
      allowDirtyGates: flags.allowDirtyGates === true,
    });
    cli.end(prompts.length > 0 ? exitCode.waiting : exitCode.accepted);
    const lines = prompts.length === 0 ? ["Nothing is stale."] : prompts.flatMap(promptLines);
    printResult(cli, flags, { prompts: prompts.map(promptJson) }, lines);
  });
}

function promptJson({ number, run, promptPath, outputPath, pairs }: LivePrompt) {
  return {
    run: number,
    run_id: run,
    prompt_path: promptPath,
    output_path: outputPath,
    gate_ids: [...new Set(pairs.map(({ gate }) => gate))],
    pairs: pairs.map((pair) => ({ ...pair })),
  };
}

function promptLines({ number, promptPath, outputPath, pairs }: LivePrompt): readonly string[] {
  return [
    `Run ${number} waits for a reply: ${renderCount(pairs.length, "review")} requested in ${promptPath}.`,
    `  When the reply is in ${outputPath}: signoff notes ingest --run ${number}`,
  ];
}

export interface NotesIngestFlags extends JsonFlags {
  readonly run: number;
  readonly input?: string;
  readonly model?: string;
  readonly by?: string;
}

export async function ingestCommand(cli: CliContext, flags: NotesIngestFlags): Promise<void> {
  const session = await notesSession(cli, flags);
  const { root } = session;
  const pathOf = (output: string) =>
    flags.input === undefined ? resolve(root, output) : resolve(cli.cwd, flags.input);
  await changeNotes(cli, session, async ({ tools, engine }) => {
    const ingested = await ingestReply(tools, engine, {
      number: flags.run,
      readReply: (output) => readTextFile(pathOf(output)),
      by: (await authorOf(cli, flags)).by,
      ...defined({ model: flags.model }),
    });
    cli.end(runCodes[ingested.run.state]);
    printResult(cli, flags, ingestJson(ingested), ingestLines(ingested));
  });
}

const runCodes = {
  completed: exitCode.accepted,
  failed: exitCode.notAccepted,
  waiting: exitCode.waiting,
  running: exitCode.outside,
};

function ingestJson({ run, prompt, decisions, changedMeanwhile }: Ingested) {
  return {
    run: run.number,
    state: run.state,
    model: run.model,
    reason: run.reason ?? null,
    prompt: prompt === undefined ? null : promptJson(prompt),
    decisions: decisions.map((one) => ({ ...one })),
    changed_meanwhile: [...changedMeanwhile],
  };
}

function ingestLines(ingested: Ingested): readonly string[] {
  const { run, prompt, decisions, changedMeanwhile, gone } = ingested;
  if (prompt !== undefined) return ["The reply leaves doubts.", ...promptLines(prompt)];
  return [
    run.state === "completed"
      ? `Run ${run.number} completed: ${renderCount(decisions.length, "review")} filed under ${run.model}.`
      : `Run ${run.number} ${run.state}: ${run.reason ?? "it did not end"}.`,
    ...decisions.map(
      ({ note, gate, decision }) => `  ${decision.padEnd(8)} ${visibleLine(note)}:${gate}`,
    ),
    ...changedMeanwhile.flatMap((note) =>
      gone.includes(note)
        ? [
            `${visibleLine(note)} is gone. If it was moved, its reviews follow with:`,
            `  ${adoptMovesCommand}`,
          ]
        : `${visibleLine(note)} has changed since the prompt; the review is filed for the version in the prompt.`,
    ),
  ];
}

export async function retryCommand(
  cli: CliContext,
  number: number,
  flags: JsonFlags,
): Promise<void> {
  await withNotes(cli, await notesSession(cli, flags), { flags }, async ({ tools, engine }) => {
    const { run, prompt } = await retryRun(tools, engine, number);
    cli.end(runCodes[run.state]);
    const { state, reason } = run;
    const asked = prompt === undefined ? null : promptJson(prompt);
    const said = `Run ${run.number} (retry of ${number}): ${state}${reason === undefined ? "" : `, ${reason}`}.`;
    const json = { run: run.number, state, reason: reason ?? null, prompt: asked };
    printResult(cli, flags, json, [said, ...(prompt === undefined ? [] : promptLines(prompt))]);
  });
}
