import { decodeSweepJob, encodeSweepJob, type SweepJob } from "../../contract/gates/sweep-job.ts";
import { defined } from "../../domain/values/defined.ts";
import { type RunId, runId } from "../../domain/values/ids.ts";
import type { Budget, Job } from "../../ports/flow.ts";
import type { RunState } from "../../ports/run-store.ts";
import { gateSweepKind } from "./gate-kinds.ts";
import type { NotesWorld } from "./load-world.ts";
import type { WritingTools } from "./notes-tools.ts";
import { bodyOf, type PlannedCall, planDigest, textOf } from "./plan-work.ts";
import { abandoned, type ReviewEngine, versionsOf } from "./review-runs.ts";

export interface SweepRequest {
  /** What was asked for, as it identifies the command; budget and speed are no part of it. */
  readonly asked: readonly unknown[];
  readonly calls: readonly PlannedCall[];
  /** Number of the last review when the pairs were selected. */
  readonly since: number;
  readonly maxWorkers: number;
  readonly budget?: Budget;
}

/** A sweep that can begin, or one that was interrupted and goes on. */
export interface PreparedSweep {
  readonly run: RunId;
  /** Of a new sweep; one that goes on has its own. */
  readonly job?: Job;
  readonly budget?: Budget;
}

type Amounts = Required<Budget>;

export interface EarlierSweep {
  /** It asks exactly what is asked now. */
  readonly goesOn?: RunId;
  /** Spent by sweeps of the same command that were interrupted and have other plans. */
  readonly spent: Amounts;
  /** Runs that were given up with them. */
  readonly abandoned: number;
}

const nothingSpent: Amounts = { microUsd: 0, tokens: 0, seconds: 0 };
const unfinished: readonly RunState[] = ["running", "queued", "waiting", "stopped", "failed"];
const mostSweeps = 100;

/**
 * Looks for sweeps of the same command that were killed or interrupted. One that would ask just what is planned now
 * goes on, with its budget. Another plan takes the place of the old one, which is cancelled, and inherits what it has
 * spent. A sweep that used up its budget has come to its end: the next command has a budget of its own.
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
    if (found.goesOn === undefined && (await isSamePlan(tools, { run, sweep, planned }))) {
      found = { ...found, goesOn: run };
      continue;
    }
    const open = await openRunsOf(tools, run);
    await engine.cancel(run, abandoned);
    const spent = sum(found.spent, sum(sweep.spentBefore, await spentBy(tools, run)));
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

/** Every call planned now is one of the sweep's, and the sweep has no other left. */
async function isSamePlan(
  { store }: WritingTools,
  about: {
    readonly run: RunId;
    readonly sweep: SweepJob;
    readonly planned: ReadonlySet<string>;
  },
): Promise<boolean> {
  const { run, sweep, planned } = about;
  const own = new Set(sweep.calls.map(({ plan }) => plan));
  if ([...planned].some((plan) => !own.has(plan))) return false;
  const tally = await store.read(({ reviews }) => reviews.runs.tallyOf(run));
  const done = tally.reduce((all, one) => all + (one.outcome === "open" ? 0 : one.runs), 0);
  return sweep.calls.length - done === planned.size;
}

async function openRunsOf({ store }: WritingTools, run: RunId): Promise<number> {
  const tally = await store.read(({ reviews }) => reviews.runs.tallyOf(run));
  return tally.reduce((all, one) => all + (one.outcome === "open" ? one.runs : 0), 0);
}

/** Calls that were lost count with their reservations, as in every budget. */
async function spentBy({ store }: WritingTools, run: RunId): Promise<Amounts> {
  return store.read(({ runs }) => runs.spentBy(run));
}

/**
 * Freezes a sweep: the texts go into the store by their blob ids, page by page, and the job names them. What is
 * changed in the files afterwards is not what this sweep reviews.
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
  for (const call of request.calls)
    for (const { note, gate } of call.plan.pairs) {
      const versions = { notePath: note.path, noteBlob: note.blobSha };
      const pair = { ...versions, gateId: gate.id, gateBlob: gate.blobSha };
      tools.trace?.("pair-captured", { run_id: run, ...versionsOf(pair) });
    }
  const head = noteTable.map(({ path }) => about.commitOf(path)).find((one) => one !== undefined);
  const models = [...new Set(calls.map(({ model }) => model))].join(", ");
  const budget = request.budget && less(request.budget, earlier.spent);
  const job: Job = {
    id: `gates/sweep/${run}`,
    kind: gateSweepKind,
    input: encodeSweepJob({
      brief: `${calls.length} reviews of ${noteTable.length} notes by ${models}`,
      request: digestOf(tools, request.asked),
      since: request.since,
      window: request.maxWorkers,
      aliases: tools.settings.aliases,
      ...defined({ head }),
      ...{ noteTable, gateTable, calls, spentBefore: earlier.spent },
    }),
    settings: {},
    createdAt: tools.clock.now(),
    ...defined({ budget }),
  };
  return { run, job };
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
  const bodies = new Map(world.allGates.map((gate) => [gate.id, bodyOf(gate)]));
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
    ...noteTable.map(({ path, blobSha }) => ({ blobSha, read: () => textOf(tools, path) })),
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

function less({ microUsd, tokens, seconds }: Budget, spent: Amounts): Budget {
  const left = (limit: number | undefined, used: number) =>
    limit === undefined ? undefined : Math.max(0, limit - used);
  return defined({
    microUsd: left(microUsd, spent.microUsd),
    tokens: left(tokens, spent.tokens),
    seconds: left(seconds, spent.seconds),
  });
}
