import { decodeSweepJob, encodeSweepJob, type SweepJob } from "../../contract/gates/sweep-job.ts";
import { defined } from "../../domain/values/defined.ts";
import { type RunId, runId } from "../../domain/values/ids.ts";
import type { Budget, Job } from "../../ports/flow.ts";
import type { RunState } from "../../ports/run-store.ts";
import { gateSweepKind } from "./gate-kinds.ts";
import type { NotesWorld } from "./load-world.ts";
import type { WritingTools } from "./notes-tools.ts";
import { noteTextOf, type PlannedCall, planDigest } from "./plan-work.ts";
import { abandoned, type ReviewEngine, traceOf } from "./review-runs.ts";
import { versionsOf } from "./target-pair.ts";

export interface SweepRequest {
  /** What was asked for, as it identifies the command; budget and speed are no part of it. */
  readonly asked: readonly unknown[];
  readonly calls: readonly PlannedCall[];
  /** Number of the last review when the pairs were selected. */
  readonly since: number;
  /** Number of the last move when the notes were listed. */
  readonly moves: number;
  readonly maxWorkers: number;
  readonly budget?: Budget;
}

/** A new sweep, or an interrupted one to resume. */
export interface PreparedSweep {
  readonly run: RunId;
  /** Absent for a resumed sweep. */
  readonly job?: Job;
  readonly budget?: Budget;
}

type Amounts = Required<Budget>;

export interface EarlierSweep {
  /** A sweep that asks exactly what is asked now. */
  readonly resumable?: RunId;
  /** Spent by interrupted sweeps of the same command with other plans. */
  readonly spent: Amounts;
  /** Runs that were cancelled with them. */
  readonly abandoned: number;
}

const nothingSpent: Amounts = { microUsd: 0, tokens: 0, seconds: 0 };
const unfinished: readonly RunState[] = ["running", "queued", "waiting", "stopped", "failed"];
const mostSweeps = 100;

/**
 * Looks for sweeps of the same command that were killed or interrupted. One that asks exactly what is planned now is
 * resumed with its budget. One with another plan is cancelled, and what it spent counts against the new one. A sweep
 * that used up its budget has ended: the next command starts with a fresh budget.
 */
export async function findEarlier(
  tools: WritingTools,
  { engine, runs, isDead }: ReviewEngine,
  { asked, calls }: Pick<SweepRequest, "asked" | "calls">,
): Promise<EarlierSweep> {
  const request = digestOf(tools, asked);
  const planned = new Set(calls.map((call) => planDigest(tools, call, false)));
  let found: EarlierSweep = { spent: nothingSpent, abandoned: 0 };
  for (const run of await unfinishedSweeps(tools)) {
    const record = await runs.load(run);
    if (record === undefined || (record.holder !== undefined && !isDead(record.holder))) continue;
    const { ending } = record;
    if (record.state === "stopped" && ending?.kind === "stopped" && ending.reason === "budget")
      continue;
    const sweep = decodeSweepJob(record.job.input);
    if (sweep.request !== request) continue;
    if (found.resumable === undefined && (await isSamePlan(tools, { run, sweep, planned }))) {
      found = { ...found, resumable: run };
      continue;
    }
    const { open } = await countRuns(tools, run);
    await engine.cancel(run, abandoned);
    // Lost calls count with their reservations, as in every budget.
    const own = await tools.store.read((repos) => repos.runs.spentBy(run));
    const spent = sum(found.spent, sum(sweep.spentBefore, own));
    found = { ...found, spent, abandoned: found.abandoned + open };
  }
  return found;
}

async function unfinishedSweeps({ store }: WritingTools): Promise<readonly RunId[]> {
  return store.read(async ({ runs }) => {
    const found = [];
    for (const state of unfinished)
      found.push(...(await runs.list({ kind: gateSweepKind, state, limit: mostSweeps })));
    return found.map(({ run }) => run);
  });
}

/** Every call planned now is one of the sweep's, the sweep has no other left, and no other command has taken one over. */
async function isSamePlan(
  tools: WritingTools,
  about: {
    readonly run: RunId;
    readonly sweep: SweepJob;
    readonly planned: ReadonlySet<string>;
  },
): Promise<boolean> {
  const { run, sweep, planned } = about;
  const own = new Set(sweep.calls.map(({ plan }) => plan));
  if ([...planned].some((plan) => !own.has(plan))) return false;
  if (await tools.store.read(({ reviews }) => reviews.runGates.hasGivenUp(run))) return false;
  const { done } = await countRuns(tools, run);
  return sweep.calls.length - done === planned.size;
}

async function countRuns({ store }: WritingTools, run: RunId) {
  const tally = await store.read(({ reviews }) => reviews.runs.tallyOf(run));
  const counts = { open: 0, done: 0 };
  for (const { outcome, runs } of tally) counts[outcome === "open" ? "open" : "done"] += runs;
  return counts;
}

/**
 * Freezes a sweep: stores the texts by blob id, page by page, and names them in the job. Later changes to the files do
 * not affect it.
 */
export async function freezeSweep(
  tools: WritingTools,
  world: NotesWorld,
  about: {
    readonly request: SweepRequest;
    readonly earlier: EarlierSweep;
    readonly newId: () => string;
    readonly commitOf: (path: string) => string | undefined;
  },
): Promise<PreparedSweep> {
  const { request, earlier, newId } = about;
  const run = runId(newId());
  const { noteTable, gateTable, calls } = tablesOf(tools, world, about);
  await keepTexts(tools, world, { noteTable, gateTable });
  const asked = request.calls.flatMap(({ member }) => member ?? []);
  const members = new Map(asked.map((member) => [member.judge, member]));
  for (const pair of request.calls.flatMap(({ plan }) => plan.pairs))
    tools.trace?.("pair-captured", { run_id: run, ...traceOf(versionsOf(pair)) });
  const head = noteTable.map(({ path }) => about.commitOf(path)).find((one) => one !== undefined);
  const budget = request.budget && less(request.budget, earlier.spent);
  const job: Job = {
    id: `gates/sweep/${run}`,
    kind: gateSweepKind,
    input: encodeSweepJob({
      brief: `${named(noteTable.map(({ path }) => path))}: ${named(gateTable.map(({ id }) => id))}`,
      request: digestOf(tools, request.asked),
      since: request.since,
      moves: request.moves,
      window: request.maxWorkers,
      aliases: tools.settings.aliases,
      ...defined({ head }),
      ...{ noteTable, gateTable, calls, spentBefore: earlier.spent },
      ...(members.size === 0 ? {} : { members: [...members.values()] }),
    }),
    settings: {},
    createdAt: tools.clock.now(),
    ...defined({ budget }),
  };
  return { run, job };
}

const mostNamed = 3;

function named(names: readonly string[]): string {
  const more = names.length - mostNamed;
  return `${names.slice(0, mostNamed).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function tablesOf(
  tools: WritingTools,
  world: NotesWorld,
  about: {
    readonly request: SweepRequest;
    readonly commitOf: (path: string) => string | undefined;
  },
): Pick<SweepJob, "noteTable" | "gateTable" | "calls"> {
  const notes = new Map<string, { readonly at: number; readonly blobSha: string }>();
  const gates = new Map<string, { readonly at: number; readonly blobSha: string }>();
  const place = (table: typeof notes, name: string, blobSha: string): number => {
    const known = table.get(name) ?? { at: table.size, blobSha };
    table.set(name, known);
    return known.at;
  };
  const calls = about.request.calls.map((call) => {
    const { shape, modelId, pairs } = call.plan;
    return {
      plan: planDigest(tools, call, false),
      shape,
      model: call.model,
      partition: modelId,
      notes: [...new Set(pairs.map(({ note }) => place(notes, note.path, note.blobSha)))],
      gates: [...new Set(pairs.map(({ gate }) => place(gates, gate.id, gate.blobSha)))],
    };
  });
  const bodies = new Map(world.allGates.map((gate) => [gate.id, gate.body]));
  return {
    calls,
    noteTable: [...notes].map(([path, { blobSha }]) => ({
      ...{ path, blobSha },
      isCommitted: about.commitOf(path) !== undefined,
    })),
    gateTable: [...gates].map(([id, { blobSha }]) => ({
      ...{ id, blobSha },
      body: bodies.get(id) ?? "",
    })),
  };
}

const textsAtOnce = 200;

async function keepTexts(
  tools: WritingTools,
  { allGates }: NotesWorld,
  { noteTable, gateTable }: Pick<SweepJob, "noteTable" | "gateTable">,
): Promise<void> {
  const gates = new Map(allGates.map((gate) => [gate.id, gate.text]));
  const named = [
    ...gateTable.map(({ id, blobSha }) => ({ blobSha, read: () => gates.get(id) ?? "" })),
    ...noteTable.map(({ path, blobSha }) => ({ blobSha, read: () => noteTextOf(tools, path) })),
  ];
  for (let at = 0; at < named.length; at += textsAtOnce) {
    const page = named.slice(at, at + textsAtOnce);
    const texts = page.map(({ blobSha, read }) => ({ blobSha, text: read() }));
    await tools.store.transaction(async ({ reviews }) => {
      for (const { blobSha, text } of texts) await reviews.blobs.keep(blobSha, text);
    });
  }
}

function digestOf({ digest }: WritingTools, asked: readonly unknown[]): string {
  return digest(JSON.stringify(asked));
}

function sum(one: Amounts, other: Amounts): Amounts {
  return {
    microUsd: one.microUsd + other.microUsd,
    tokens: one.tokens + other.tokens,
    seconds: one.seconds + other.seconds,
  };
}

/** What is left of a budget; amounts that are not known count as nothing. */
export function less({ microUsd, tokens, seconds }: Budget, spent: Budget): Budget {
  const left = (limit: number | undefined, used = 0) =>
    limit === undefined ? undefined : Math.max(0, limit - used);
  return defined({
    microUsd: left(microUsd, spent.microUsd),
    tokens: left(tokens, spent.tokens),
    seconds: left(seconds, spent.seconds),
  });
}
