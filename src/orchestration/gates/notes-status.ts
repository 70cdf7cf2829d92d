import { gateFormatVersion } from "../../protocol/gates/format.ts";
import { findTree } from "./list-tree.ts";
import type { NotesTools } from "./notes-tools.ts";
import { rulingsPath } from "./rulings-path.ts";
import type { NotesStatus, StatusRequest } from "./status-report.ts";

/** Caches the last summary by its key. Losing it only costs time. */
export interface StatusCache {
  load(key: string): NotesStatus | undefined;
  save(key: string, status: NotesStatus): void;
}

/** Answers from the stored summary when index, dirty files, gates, settings and acceptances are the same. */
export async function loadStatus(
  tools: NotesTools,
  request: StatusRequest,
  kept?: StatusCache,
): Promise<NotesStatus> {
  // A revision is a name that moves: what differed from it yesterday says nothing today.
  const cache = request.changedSince === undefined ? kept : undefined;
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

/** The same for the same answer to this request: the tree's state, rulings, settings and acceptances. */
export async function stateOfNotes(
  tools: NotesTools,
  request: unknown,
  treeState: string,
): Promise<string> {
  return tools.digest(JSON.stringify([treeState, await stateBeside(tools, request)]));
}

/** Everything but the tree that decides the answer. */
async function stateBeside(
  { clock, digest, files, settings, store }: NotesTools,
  request: unknown,
): Promise<unknown> {
  const last = await store?.read(async ({ reviews }) => [
    await reviews.acceptances.lastSeq(),
    await reviews.gateReviews.lastSeq(),
  ]);
  const lock = (await files.read(settings.lock)) ?? "";
  const rulings = (await files.read(rulingsPath(settings))) ?? "";
  // Rulings may expire.
  const today = rulings === "" ? "" : clock.now().slice(0, 10);
  return [digest(lock), digest(rulings), today, last, settings, request, gateFormatVersion];
}
