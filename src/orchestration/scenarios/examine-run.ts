import type { ArtifactValue } from "../../contract/scenarios/artifacts.ts";
import { type DerivedRun, derivePackRun } from "../../domain/scenarios/derive-run.ts";
import type { JudgingRules } from "../../domain/scenarios/play-step.ts";
import { runId } from "../../domain/values/ids.ts";
import { findArtifact } from "./artifact-files.ts";
import { iterationFolder } from "./loop-iteration.ts";
import {
  type EvidenceParts,
  iterationOf,
  loadRunEvidence,
  type StoredRun,
} from "./run-evidence.ts";

export interface ExamineParts extends EvidenceParts {
  readonly judging: JudgingRules;
}

/** What this project can say about the pack run in a folder. */
export type ExaminedRun =
  /** Judged again from the store's record. */
  | {
      readonly kind: "derived";
      /** Of the run itself: for a loop, of its latest iteration. */
      readonly folder: string;
      readonly stored: StoredRun;
      readonly run: DerivedRun;
    }
  /** A run that this project's store does not know: made elsewhere, or pruned. It proves nothing here. */
  | { readonly kind: "unknown"; readonly claimsAccepted: boolean }
  | { readonly kind: "none" };

export type ExamineRun = (folder: string) => Promise<ExaminedRun>;

/** Derives the acceptance of the pack run in a folder. A loop rests on its latest iteration. */
export async function examineRun(parts: ExamineParts, folder: string): Promise<ExaminedRun> {
  const manifest = await findArtifact(parts.folders, folder, "run_manifest.json");
  if (manifest?.kind !== "pack" && manifest?.kind !== "pack-loop") return { kind: "none" };
  const at =
    manifest.kind === "pack-loop"
      ? await latestIteration(parts, folder, manifest.runId)
      : { runId: manifest.runId, folder };
  const stored = at && (await loadRunEvidence(parts, at));
  if (at === undefined || stored === undefined) {
    return { kind: "unknown", claimsAccepted: await claimsAccepted(parts, folder, manifest) };
  }
  const run = derivePackRun(stored.evidence, parts.judging);
  return { kind: "derived", folder: at.folder, stored, run };
}

async function claimsAccepted(
  { folders }: ExamineParts,
  folder: string,
  { kind, finished }: ArtifactValue<"run_manifest.json">,
): Promise<boolean> {
  if (!finished) return false;
  if (kind === "pack") {
    const state = await findArtifact(folders, folder, "pack_state.json");
    return state?.acceptanceGatePassed === true;
  }
  const loop = await findArtifact(folders, folder, "loop_state.json");
  return loop?.iterations.at(-1)?.accepted === true;
}

async function latestIteration({ store }: ExamineParts, folder: string, loop: string) {
  let latest: { readonly number: number; readonly runId: string } | undefined;
  for (const { run } of await store.listChildren(runId(loop))) {
    const record = await store.load(run);
    const number = record === undefined ? 0 : iterationOf(record);
    if (number > (latest?.number ?? 0)) latest = { number, runId: run };
  }
  return latest && { runId: latest.runId, folder: `${folder}/${iterationFolder(latest.number)}` };
}
