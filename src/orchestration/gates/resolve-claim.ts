import type { RunId } from "../../domain/values/ids.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Repos } from "../../ports/repos.ts";
import type { Holder, RunStore } from "../../ports/run-store.ts";
import type { Store } from "../../ports/store.ts";
import { reviewKey } from "./gate-review-flow.ts";

export interface ClaimParts {
  readonly store: Store<Repos>;
  readonly runs: Pick<RunStore, "load" | "find" | "requestCancel">;
  readonly clock: Pick<Clock, "now">;
  readonly isDead: (holder: Holder) => boolean;
}

export type Claim =
  | { readonly kind: "held"; readonly holder: Holder }
  /** Its reply is recorded and can be filed without asking. */
  | { readonly kind: "replied" }
  | { readonly kind: "free" };

/**
 * Who has the claim of a run. One whose process is gone without a reply is given up; the run is cancelled first, so that
 * resuming it does not ask for what another run has taken over.
 */
export async function resolveClaim(parts: ClaimParts, run: RunId): Promise<Claim> {
  const { store, runs, clock } = parts;
  const before = await holderOf(parts, run);
  if (before !== undefined) return { kind: "held", holder: before };
  if ((await runs.load(run)) !== undefined) {
    if ((await runs.find(run, reviewKey)) !== undefined) return { kind: "replied" };
    await runs.requestCancel(run, "another command reviews its pairs", clock.now());
    const resumed = await holderOf(parts, run);
    if (resumed !== undefined) return { kind: "held", holder: resumed };
  }
  await store.transaction(({ reviews }) => reviews.runGates.giveUp(run));
  return { kind: "free" };
}

/** The live process that holds the run or its sweep. */
async function holderOf(
  { store, runs, isDead }: ClaimParts,
  run: RunId,
): Promise<Holder | undefined> {
  const row = await store.read(({ reviews }) => reviews.runs.find(run));
  for (const one of [run, row?.batch as RunId | undefined]) {
    const holder = one && (await runs.load(one))?.holder;
    if (holder !== undefined && !isDead(holder)) return holder;
  }
  return undefined;
}
