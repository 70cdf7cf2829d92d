import type { Settled } from "../../domain/gates/decision.ts";
import type { PassedOver } from "../../ports/note-source.ts";
import { gateFormatVersion } from "../../protocol/gates/format.ts";
import { findTree } from "./list-tree.ts";
import type { Scope } from "./load-world.ts";
import type { NotesTools } from "./notes-tools.ts";
import type { WorkCost } from "./plan-work.ts";
import type { NoteProblem } from "./select-pairs.ts";

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
  keeper?: StatusCache,
): Promise<NotesStatus> {
  // A revision is a name that moves: what differed from it yesterday says nothing today.
  const cache = request.changedSince === undefined ? keeper : undefined;
  // Git runs while the store is asked.
  const [tree, rest] = await Promise.all([findTree(tools), cache && stateBeside(tools, request)]);
  const key = tools.digest(JSON.stringify([tree.state, rest]));
  const known = cache?.load(key);
  if (known !== undefined) return known;
  // Planning and markdown are loaded only when they are needed: they cost more than a kept answer.
  const { computeStatus } = await import("./compute-status.ts");
  const status = await computeStatus(tools, await tree.load(), request);
  cache?.save(key, status);
  return status;
}

/** Everything but the tree that decides the answer. */
async function stateBeside(
  { digest, files, settings, store }: NotesTools,
  request: StatusRequest,
): Promise<unknown> {
  const last = await store?.read(async ({ reviews }) => [
    await reviews.acceptances.lastSeq(),
    await reviews.gateReviews.lastSeq(),
  ]);
  const lock = (await files.read(settings.lock)) ?? "";
  return [digest(lock), last, settings, request, gateFormatVersion];
}
