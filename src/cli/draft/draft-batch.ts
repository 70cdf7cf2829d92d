import { randomUUID } from "node:crypto";
import { relative } from "node:path";
import { v5 as uuidOf } from "uuid";
import type { BatchBrief } from "../../contract/drafting/batch-line.ts";
import { encodeDraftInput } from "../../contract/drafting/draft-input.ts";
import { sessionToJson } from "../../contract/http/draft-session.ts";
import { type DraftSession, succeeded } from "../../domain/drafting/session.ts";
import { defined } from "../../domain/values/defined.ts";
import { runId } from "../../domain/values/ids.ts";
import { WorkflowError } from "../../domain/values/workflow-error.ts";
import { loadSession } from "../../orchestration/drafting/load-session.ts";
import { startDraft } from "../../orchestration/drafting/start-draft.ts";
import { continueRun } from "../../orchestration/runs/begin-run.ts";
import type { RunnerFor } from "../../ports/runner.ts";
import { draftRefused } from "../../wiring/features/prepare-draft.ts";
import { requireUsable } from "../../wiring/models/check-models.ts";
import { runnersOf } from "../../wiring/models/runners.ts";
import { appendLine } from "../../wiring/project/json-lines.ts";
import type { Project } from "../../wiring/project/project.ts";
import { runSourceOf } from "../../wiring/project/run-source.ts";
import { clockOf } from "../../wiring/project/system-clock.ts";
import { frozenSettings } from "../../wiring/settings/frozen-settings.ts";
import { grouped, renderCount } from "../shell/amounts.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { type ExitCode, exitCode, exitCodeOfEnding, worstExitCode } from "../shell/exit-code.ts";
import { printOut, printRemark, projectPlaceOf, rootOf } from "../shell/print.ts";
import { isQuiet } from "../shell/quiet-flags.ts";
import { keepMemorySteady } from "../shell/steady-memory.ts";
import { withProject } from "../shell/with-project.ts";
import { type BatchFiles, checkBatchFlags, readBriefs, readResults } from "./batch-files.ts";
import type { DraftFlags } from "./draft-flags.ts";
import { type PlannedDraft, planDraftCommand } from "./plan-draft-command.ts";
import { readTexts } from "./read-brief.ts";

const usualJobs = 4;
const mostProblems = 20;
const briefsBetweenRemarks = 250;

/**
 * Drafts every brief of a file, some at a time. Everything is checked before anything is asked. The record decides what
 * is done: after a kill the same command goes on, and each brief has one line of results.
 */
export async function startBatchCommand(
  cli: CliContext,
  typed: string | undefined,
  flags: DraftFlags,
): Promise<void> {
  const files = checkBatchFlags(cli, typed, flags);
  keepMemorySteady();
  const { jobs = usualJobs } = flags;
  const name = relative(cli.cwd, files.results);
  const done = await readResults(files.results, name);
  const batch = new Batch(cli, flags, files);
  const total = await batch.check();
  const { loaded } = batch;
  if (loaded === undefined) {
    const hint = "Write one on each line: a text in quotes, or an object with a brief.";
    throw draftRefused([`${flags.batch} holds no brief`], hint);
  }
  const root = rootOf(cli);
  await withProject(cli, { root, loaded, flags }, async ({ project, signal }) => {
    const tally = new Map<string, number>();
    const codes = new Set<ExitCode>();
    let at = 0;
    const tell = (id: string, outcome: string): void => {
      at += 1;
      tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
      if (!isQuiet(flags))
        printRemark(cli, `${grouped(at)} of ${grouped(total)}  ${outcome}  ${id}`);
    };
    await eachAtOnce(batch.briefs(), jobs, async (one) => {
      if (signal.aborted) return;
      const ended = await batch.draft(project, one, done);
      tell(one.id, ended.outcome);
      codes.add(ended.code);
    });
    if (signal.aborted) codes.add(exitCode.interrupted);
    cli.end(worstExitCode(codes));
    const counts = [...tally].map(([outcome, count]) => `${grouped(count)} ${outcome}`).join(", ");
    const rest = at < total ? `; ${grouped(total - at)} not begun` : "";
    printOut(cli, `${renderCount(total, "brief")}: ${counts || "none drafted"}${rest}. ${name}`);
  });
}

/** Takes from the source as fast as the work is done, never more than `most` at a time. */
async function eachAtOnce<T>(
  source: AsyncGenerator<T>,
  most: number,
  work: (one: T) => Promise<void>,
): Promise<void> {
  const take = async (): Promise<void> => {
    for (let next = await source.next(); next.done !== true; next = await source.next()) {
      await work(next.value);
    }
  };
  await Promise.all(Array.from({ length: most }, take));
}

interface EndedBrief {
  readonly outcome: string;
  readonly code: ExitCode;
}

/** What is wrong with the lines of a batch. What is wrong with several in the same way is said once. */
class Problems {
  readonly #lines = new Map<string, number[]>();
  readonly #hints = new Set<string | undefined>();

  add(message: string, about: { readonly line?: number; readonly hint?: string | undefined } = {}) {
    const lines = this.#lines.get(message) ?? [];
    if (about.line !== undefined) lines.push(about.line);
    this.#lines.set(message, lines);
    this.#hints.add(about.hint);
  }

  get isFull(): boolean {
    return this.#lines.size > mostProblems;
  }

  throwIfAny(): void {
    if (this.#lines.size === 0) return;
    const said = [...this.#lines].slice(0, mostProblems).map(([message, lines]) => {
      const [line, ...others] = lines;
      if (line === undefined) return message;
      return others.length === 0
        ? `line ${line}: ${message}`
        : `line ${line} and ${renderCount(others.length, "other")}: ${message}`;
    });
    const [hint, ...further] = this.#hints;
    throw draftRefused(said, further.length === 0 ? hint : undefined);
  }
}

class Batch {
  readonly #cli: CliContext;
  readonly #flags: DraftFlags;
  readonly #files: BatchFiles;
  /** Absent until a brief was planned. */
  loaded: PlannedDraft["loaded"] | undefined;

  constructor(cli: CliContext, flags: DraftFlags, files: BatchFiles) {
    this.#cli = cli;
    this.#flags = flags;
    this.#files = files;
  }

  briefs(onProblem: (problem: string) => void = () => undefined): AsyncGenerator<BatchBrief> {
    return readBriefs(this.#files.briefs, this.#flags.batch ?? "", onProblem);
  }

  /** Reads and plans every line, and returns how many there are. Throws everything that is wrong. */
  async check(): Promise<number> {
    const say = (text: string) => isQuiet(this.#flags) || printRemark(this.#cli, text);
    say(`Checking the briefs of ${this.#flags.batch}.`);
    const problems = new Problems();
    const checked = new Set<string>();
    let count = 0;
    const at = clockOf(this.#cli.environment).now();
    let runnerFor: RunnerFor | undefined;
    for await (const one of this.briefs((problem) => problems.add(problem))) {
      count += 1;
      if (count % briefsBetweenRemarks === 0) say(`${renderCount(count, "brief")} checked`);
      if (problems.isFull) break;
      try {
        const planned = await this.#plan(one);
        const { settings } = planned.loaded;
        runnerFor ??= runnersOf({ ...projectPlaceOf(this.#cli), loaded: planned.loaded });
        const models = planned.models.filter((model) => !checked.has(model));
        await requireUsable({ ...planned, models }, { settings, runnerFor, at });
        for (const model of models) checked.add(model);
      } catch (error) {
        if (!(error instanceof WorkflowError)) throw error;
        problems.add(error.message.replace(/\.$/u, ""), { line: one.line, hint: error.hint });
      }
    }
    problems.throwIfAny();
    return count;
  }

  async #plan({ brief, from, context, recipe }: BatchBrief): Promise<PlannedDraft> {
    const texts = await readTexts(this.#cli, undefined, {
      ...defined({ from, context: context ?? this.#flags.context }),
      ...(brief === undefined ? {} : { words: brief }),
    });
    const { output: _, ...flags } = this.#flags;
    const planned = await planDraftCommand(this.#cli, {
      ...{ root: rootOf(this.#cli), texts, flags: { ...flags, ...defined({ recipe }) } },
      ...defined({ loaded: this.loaded }),
    });
    this.loaded ??= planned.loaded;
    return planned;
  }

  /** Continues or starts the run of one brief, and writes its line once it is decided. */
  async draft(
    project: Project,
    one: BatchBrief,
    done: ReadonlyMap<string, string>,
  ): Promise<EndedBrief> {
    const { input, budget, loaded } = await this.#plan(one);
    const { digestOfJson } = runSourceOf(project.store, project.clock).identity;
    const digest = digestOfJson(encodeDraftInput(input));
    const run = runId(uuidOf(JSON.stringify([this.#files.results, one.id, digest]), runSpace));
    if (done.get(one.id) === digest) return this.#known(project, run);
    if ((await continueRun(project.engine, run, budget)) === "gone") {
      const settings = frozenSettings(loaded);
      const start = { input, newId: randomUUID, run, fresh: true, settings };
      await startDraft(project, { ...start, ...defined({ budget }) });
    }
    const ending = await project.engine.ending(run, new AbortController().signal);
    const session = (await loadSession(project.store, run))?.session;
    const code = exitCodeOfEnding(ending, session ?? {});
    if (session?.decision === undefined) {
      const why = ending.kind === "stopped" ? ending.reason : ending.kind;
      return { outcome: why, code };
    }
    await appendLine(this.#files.results, JSON.stringify(resultOf(one, digest, session)));
    return { outcome: wordOf(session), code };
  }

  async #known(project: Project, run: ReturnType<typeof runId>): Promise<EndedBrief> {
    const session = (await loadSession(project.store, run))?.session;
    const isApproved = session === undefined || succeeded(session);
    return {
      outcome: session === undefined ? "done before" : wordOf(session),
      code: isApproved ? exitCode.accepted : exitCode.notAccepted,
    };
  }
}

/** Names the run of a brief, so that the same command continues it. */
const runSpace = "0c1f9a52-6d0b-5c55-9a2e-2b8f3d1f7a64";

function wordOf(session: DraftSession): string {
  return succeeded(session) ? "approved" : "not approved";
}

function resultOf({ id, line }: BatchBrief, input: string, session: DraftSession): object {
  const document = sessionToJson(session) as { readonly [name: string]: unknown };
  const { run_id, recipe, outcome, deciders, turn_count, usage } = document;
  const feedback = session.turns.at(-1)?.feedback ?? null;
  const text = session.finalText ?? null;
  const found = { approved: succeeded(session), outcome, text, feedback };
  return { id, line, ...found, recipe, deciders, turn_count, usage, run_id, input };
}
