import { parseFrontMatter } from "../../contract/documents/front-matter.ts";
import { isWorthAsking } from "../../domain/gates/pair-state.ts";
import { memberOf } from "../../domain/gates/panel-vote.ts";
import type { JobMember, ReviewJob } from "../../domain/gates/review-job.ts";
import {
  type PlannablePair,
  type PlanStrategy,
  planReviews,
  type ReviewPlan,
  replyTokensPerPair,
} from "../../domain/gates/review-plan.ts";
import { shippedWindow } from "../../domain/models/shipped-windows.ts";
import { defined } from "../../domain/values/defined.ts";
import { gateFormatVersion } from "../../protocol/gates/format.ts";
import { jobNote } from "./capture-call.ts";
import type { NotesWorld } from "./load-world.ts";
import type { NotesTools } from "./notes-tools.ts";
import { type NoteProblem, partitionOf } from "./select-pairs.ts";
import type { TargetPair } from "./target-pair.ts";

export interface PlanRequest {
  /** Models, and members of panels by the names that their verdicts are filed under. */
  readonly judges: readonly string[];
  readonly strategy: PlanStrategy;
  readonly retryUndecided: boolean;
  /** At most this many pairs. */
  readonly limit?: number;
}

/** Calls to make and rules to evaluate, with what the calls may cost; nothing has been spent. */
export interface WorkPlan {
  readonly calls: readonly PlannedCall[];
  readonly rulePairs: readonly TargetPair[];
  readonly tooLarge: readonly PlannablePair[];
  /** Undecided twice for these versions; a person has to ask for them. */
  readonly leftAlone: readonly TargetPair[];
  /** Files that cannot be reviewed, and front matter that cannot be read. */
  readonly problems: readonly NoteProblem[];
  readonly cost: WorkCost;
}

export interface PlannedCall {
  readonly plan: ReviewPlan;
  /** The model as it is asked for; `plan.modelId` is its partition, or that of the member. */
  readonly model: string;
  readonly member?: JobMember;
}

export interface WorkCost {
  readonly pairs: number;
  readonly calls: number;
  readonly inputTokens: { readonly low: number; readonly high: number };
  readonly outputTokens: { readonly low: number; readonly high: number };
}

/** Also what a model is taken to read whose window is not known. */
const callTokens = 32_000;
const maxPairs = 12;

/** Plans calls for stale pairs, and fresh ones to review again. The same pairs in any order give the same plan, so repeating a command finds its runs. */
export function planWork(
  tools: NotesTools,
  pairs: readonly TargetPair[],
  request: PlanRequest,
): WorkPlan {
  const problems: NoteProblem[] = [];
  const known = new Map<string, boolean>();
  const open = pairs.filter(({ note }) => {
    const readable = known.get(note.path) ?? isReadable(tools, note.path, problems);
    known.set(note.path, readable);
    return readable;
  });
  const isWanted = ({ state }: TargetPair): boolean =>
    state.kind === "fresh" || isWorthAsking(state, request.retryUndecided);
  const wanted = open.filter(isWanted);
  const leftAlone = open.filter((pair) => !isWanted(pair));
  const limited = wanted.slice(0, request.limit ?? wanted.length);
  const judged = limited.filter(({ gate }) => gate.kind === "judge");
  const calls: PlannedCall[] = [];
  const tooLarge: PlannablePair[] = [];
  for (const judge of request.judges) {
    const modelId = partitionOf(tools, judge);
    const asked = askedAs(tools, judge);
    const own = judged.filter((pair) => pair.model === modelId);
    const { strategy } = request;
    const window = shippedWindow(asked.model, tools.settings.aliases) ?? 0;
    const contextTokens = Math.max(window, callTokens);
    const limits = { strategy, modelId, contextTokens, callTokens, maxPairs };
    const set = planReviews(own.map(createMeasure(tools)), limits);
    calls.push(...set.plans.map((plan) => ({ plan, ...asked })));
    tooLarge.push(...set.tooLarge);
  }
  return {
    calls,
    rulePairs: limited.filter(({ gate }) => gate.kind === "rule"),
    tooLarge,
    leftAlone,
    problems,
    cost: plannedCost(calls),
  };
}

function askedAs({ settings }: NotesTools, judge: string): Omit<PlannedCall, "plan"> {
  const { name, model = judge, instructions } = memberOf(judge, settings.panels) ?? {};
  if (name === undefined || instructions === undefined) return { model };
  return { model, member: { name, judge, instructions } };
}

/** Pairs that stay stale until a person changes the file, and why. */
export function unreviewable({ problems, tooLarge }: WorkPlan): WorkPlan["problems"] {
  const gates = new Map<string, string[]>();
  for (const { note, gate } of tooLarge)
    gates.set(note.path, [...(gates.get(note.path) ?? []), gate.id]);
  return [
    ...problems,
    ...[...gates].map(([path, ids]) => ({
      path,
      message: `too large for one call, so it is not reviewed against ${ids.join(", ")}`,
    })),
  ];
}

export function plannedCost(calls: readonly Pick<PlannedCall, "plan">[]): WorkCost {
  let [pairs, low, high] = [0, 0, 0];
  for (const { plan } of calls) {
    pairs += plan.pairs.length;
    low += plan.tokens.low;
    high += plan.tokens.high;
  }
  const output = pairs * replyTokensPerPair;
  return {
    pairs,
    calls: calls.length,
    inputTokens: { low, high },
    outputTokens: { low: Math.ceil(output / 5), high: output },
  };
}

/** Names a plan by what it is about: shape, versions, judge and format, and nothing that may vary. */
export function planDigest({ digest }: NotesTools, call: PlannedCall, live: boolean): string {
  const { shape, pairs } = call.plan;
  const judge = call.member?.judge ?? call.model;
  const versions = pairs.map(({ note, gate }) => [note.path, note.blobSha, gate.id, gate.blobSha]);
  return digest(JSON.stringify([shape, versions, judge, gateFormatVersion, live]));
}

/** Everything the call needs, with the texts as they are now. */
export function jobOf(
  tools: NotesTools,
  world: Pick<NotesWorld, "allNotes" | "allGates">,
  { call, live }: { readonly call: PlannedCall; readonly live: boolean },
): ReviewJob {
  const { shape, pairs } = call.plan;
  const exists = (path: string): boolean => tools.files.exists(path);
  const gates = new Map(world.allGates.map((gate) => [gate.id, gate]));
  const notes = [...new Map(pairs.map(({ note }) => [note.path, note])).values()];
  const gateIds = [...new Set(pairs.map(({ gate }) => gate.id))];
  return {
    shape,
    model: call.model,
    ...defined({ member: call.member }),
    live,
    aliases: tools.settings.aliases,
    notes: notes.map(({ path, blobSha }) =>
      jobNote({ path, blobSha, text: noteTextOf(tools, path) }, exists),
    ),
    gates: gateIds.flatMap((id) => {
      const gate = gates.get(id);
      return gate === undefined ? [] : [{ id, blobSha: gate.blobSha, body: gate.body }];
    }),
  };
}

export function noteTextOf({ source }: NotesTools, path: string): string {
  const loaded = source.readText(path);
  return loaded.kind === "text" ? loaded.text : "";
}

function isReadable({ source }: NotesTools, path: string, problems: NoteProblem[]): boolean {
  const loaded = source.readText(path);
  if (loaded.kind !== "text") {
    problems.push({ path, message: `the file is ${loaded.kind}` });
    return false;
  }
  const frontMatter = parseFrontMatter(loaded.text);
  if (frontMatter.kind === "malformed") {
    const { line, message } = frontMatter;
    problems.push({ path, message: `line ${line}: the front matter ${message}` });
  }
  return true;
}

/** Measures each text once and shares the result between its pairs. */
function createMeasure(tools: NotesTools): (pair: TargetPair) => PlannablePair {
  const notes = new Map<string, PlannablePair["note"]>();
  const gates = new Map<string, PlannablePair["gate"]>();
  return ({ note: { path, blobSha }, gate }) => {
    const bytes = (text: string): number => Buffer.byteLength(text);
    const note = notes.get(path) ?? { path, blobSha, bytes: bytes(noteTextOf(tools, path)) };
    notes.set(path, note);
    const { id } = gate;
    const rule = gates.get(id) ?? { id, blobSha: gate.blobSha, bytes: bytes(gate.body) };
    gates.set(id, rule);
    return { note, gate: rule };
  };
}

/** The plan as people and programs see it. */
export function planView(plan: WorkPlan, acknowledged: number) {
  return {
    calls: plan.calls.map(({ plan: { shape, pairs, tokens }, model, member }) => ({
      shape,
      model,
      ...defined({ member: member?.name }),
      pairs: pairs.map(({ note, gate }) => ({ note: note.path, gate: gate.id })),
      inputTokens: tokens,
    })),
    rulePairs: plan.rulePairs.length,
    acknowledged,
    leftUndecided: plan.leftAlone.length,
    tooLarge: plan.tooLarge.map(({ note, gate }) => ({ note: note.path, gate: gate.id })),
    cost: plan.cost,
    problems: plan.problems,
  };
}
