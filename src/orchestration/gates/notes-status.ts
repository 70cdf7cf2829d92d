import type { Settled } from "../../domain/gates/decision.ts";
import { explainStaleness } from "../../domain/gates/staleness.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { PassedOver } from "../../ports/note-source.ts";
import { gateFormatVersion } from "../../protocol/gates/format.ts";
import { readPairName } from "./acknowledge.ts";
import { listTree, loadWorld, type NoteTree, type Scope } from "./load-world.ts";
import type { NotesTools } from "./notes-tools.ts";
import { planWork, type WorkCost } from "./plan-work.ts";
import { earlierTexts, type NoteProblem, selectPairs, type TargetPair } from "./select-pairs.ts";

export type StatusReason = "missing-review" | "gate-changed" | "note-changed" | "undecided";

export interface StalePair {
  readonly note: string;
  readonly gate: string;
  readonly model: string;
  readonly reason: StatusReason;
  readonly trivial: boolean;
  /** How often these versions were left undecided. */
  readonly undecidedTimes?: number;
  readonly noteBlob: string;
  readonly acceptedNoteBlob?: string;
}

/** Which pairs are stale and why, and what reviewing them would cost. */
export interface NotesStatus {
  readonly models: readonly string[];
  readonly notes: number;
  readonly gates: number;
  readonly pairs: number;
  readonly fresh: { readonly [decision in Settled]: number };
  readonly counts: { readonly [reason in StatusReason]: number };
  /** Of the changed notes: those that `review` acknowledges without asking. */
  readonly trivial: number;
  readonly stale: readonly StalePair[];
  readonly cost: WorkCost;
  readonly problems: readonly NoteProblem[];
  readonly skipped: readonly PassedOver[];
}

export interface StatusRequest extends Scope {
  readonly models: readonly string[];
  readonly reasons: readonly StatusReason[];
  readonly strictFormat: boolean;
}

/** Keeps the last summary by its key. Losing it costs time and nothing else. */
export interface StatusCache {
  load(key: string): NotesStatus | undefined;
  save(key: string, status: NotesStatus): void;
}

/** Answers from the stored summary when index, dirty files, gates, settings and acceptances are the same. */
export async function loadStatus(
  tools: NotesTools,
  request: StatusRequest,
  cache?: StatusCache,
): Promise<NotesStatus> {
  const tree = await listTree(tools);
  const key = cache === undefined ? "" : await summaryKey(tools, tree, request);
  const known = cache?.load(key);
  if (known !== undefined) return known;
  const status = await computeStatus(tools, tree, request);
  cache?.save(key, status);
  return status;
}

async function summaryKey(
  { digest, files, settings, store }: NotesTools,
  { notes, gateFiles, skipped }: NoteTree,
  request: StatusRequest,
): Promise<string> {
  const last = await store?.read(async ({ reviews }) => [
    await reviews.acceptances.lastSeq(),
    await reviews.gateReviews.lastSeq(),
  ]);
  const listed = [notes, gateFiles]
    .map((group) => group.map(({ path, blobSha }) => `${blobSha} ${path}`).join("\n"))
    .join("\n\n");
  const lock = (await files.read(settings.lock)) ?? "";
  return digest(
    [
      listed,
      digest(lock),
      JSON.stringify([last ?? null, settings, request, skipped, gateFormatVersion]),
    ].join("\n"),
  );
}

async function computeStatus(
  tools: NotesTools,
  tree: NoteTree,
  request: StatusRequest,
): Promise<NotesStatus> {
  const world = await loadWorld(tools, request, tree);
  const { models, reasons, strictFormat } = request;
  const selection = await selectPairs(tools, world, {
    models,
    ...(strictFormat ? { format: gateFormatVersion } : {}),
  });
  const chosen = selection.stale.filter(
    (pair) => reasons.length === 0 || reasons.includes(reasonOf(pair)),
  );
  const work = planWork(
    tools,
    chosen.filter(({ trivial }) => !trivial),
    { models, strategy: "cheapest", retryUndecided: false },
  );
  const counts = { "missing-review": 0, "gate-changed": 0, "note-changed": 0, undecided: 0 };
  for (const pair of chosen) counts[reasonOf(pair)] += 1;
  return {
    models: [...models],
    notes: world.notes.length,
    gates: world.gates.length,
    pairs: selection.pairs,
    fresh: selection.fresh,
    counts,
    trivial: chosen.filter(({ trivial }) => trivial).length,
    stale: chosen.map(staleOf),
    cost: work.cost,
    problems: uniqueByPath([...selection.problems, ...work.problems]),
    skipped: world.skipped,
  };
}

function uniqueByPath(problems: readonly NoteProblem[]): readonly NoteProblem[] {
  return [...new Map(problems.map((problem) => [problem.path, problem])).values()];
}

export function reasonOf({ state }: TargetPair): StatusReason {
  if (state.kind === "undecided") return "undecided";
  return state.kind === "stale" ? state.reason : "missing-review";
}

function staleOf(pair: TargetPair): StalePair {
  const { note, gate, model, state, accepted, trivial } = pair;
  return {
    note: note.path,
    gate: gate.id,
    model,
    reason: reasonOf(pair),
    trivial,
    ...(state.kind === "undecided" ? { undecidedTimes: state.times } : {}),
    noteBlob: note.blobSha,
    ...(accepted === undefined ? {} : { acceptedNoteBlob: accepted.noteBlob }),
  };
}

export interface PairExplanation {
  readonly note: string;
  readonly gate: string;
  readonly model: string;
  readonly sentence: string;
  readonly from?: "store" | "lock";
}

/** Why one pair is what it is, with the versions that decided it. */
export async function explainPair(
  tools: NotesTools,
  name: string,
  models: readonly string[],
): Promise<readonly PairExplanation[]> {
  const world = await loadWorld(tools, { paths: [], gates: [] });
  const { note, gate } = readPairName(world, name);
  const one = await loadWorld(tools, { paths: [note], gates: [gate] });
  const found: TargetPair[] = [];
  const { stale } = await selectPairs(tools, one, { models, onFresh: (pair) => found.push(pair) });
  const pairs = [...found, ...stale];
  if (pairs.length === 0)
    throw new ConfigurationError(`The gate ${gate} does not apply to ${note}.`, {
      code: "pair-not-applicable",
      facts: { note, gate },
    });
  return pairs.map(explainTarget);
}

/** Why the pair is what it is, as a sentence. */
export function explainTarget(pair: TargetPair): PairExplanation {
  const { note, gate, model, accepted, state, trivial } = pair;
  const said = explainStaleness(
    note,
    gate,
    accepted === undefined
      ? undefined
      : {
          notePath: note.path,
          gateId: gate.id,
          modelId: model,
          acceptedNoteSha: accepted.noteBlob,
          acceptedGateSha: accepted.gateBlob,
        },
  );
  const more = [
    ...(state.kind === "undecided" ? [`left undecided ${state.times} times`] : []),
    ...(trivial ? ["no watched part changed: `review` acknowledges it"] : []),
    ...(accepted === undefined ? [] : [`accepted as ${accepted.decision} by ${accepted.kind}`]),
  ];
  return {
    note: note.path,
    gate: gate.id,
    model,
    sentence: [said, ...more].join("; "),
    ...(accepted === undefined ? {} : { from: accepted.from }),
  };
}

/** Both texts of each changed note, where the accepted one is still known. */
export async function changedTexts(
  tools: NotesTools,
  status: NotesStatus,
): Promise<readonly { readonly note: string; readonly before: string; readonly after: string }[]> {
  const changed = new Map(
    status.stale.flatMap((pair) =>
      pair.reason === "note-changed" && pair.acceptedNoteBlob !== undefined
        ? [[pair.note, pair.acceptedNoteBlob] as const]
        : [],
    ),
  );
  const texts = await earlierTexts(tools, [...changed.values()]);
  return [...changed].flatMap(([note, blob]) => {
    const before = texts.get(blob);
    const now = tools.source.readText(note);
    return before === undefined || now.kind !== "text" ? [] : [{ note, before, after: now.text }];
  });
}
