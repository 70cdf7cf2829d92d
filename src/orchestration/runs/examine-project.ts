import { draftMisfit } from "../../domain/drafting/draft-standing.ts";
import type { RunId } from "../../domain/values/ids.ts";
import type { RecordFiles } from "../../ports/record-files.ts";
import { loadEvidence } from "../drafting/derive-draft.ts";
import { expectedRecord } from "../drafting/draft-record.ts";
import { allEvents } from "./all-events.ts";
import { listRuns, type RunSource } from "./list-runs.ts";

/** What was looked at, what was found, and what can be done about it. */
export interface DoctorFinding {
  readonly level: "ok" | "warning" | "error";
  readonly text: string;
  readonly hint?: string;
  /** The store itself cannot be trusted. */
  readonly isStore?: true;
}

export interface Examined {
  readonly findings: readonly DoctorFinding[];
  /** Record files that were written again from the store. */
  readonly repaired: number;
}

const mostRuns = 10_000;

/**
 * Compares the readable records with the events they are made from. The store is authoritative for drafting runs, so
 * `repair` rewrites missing or different files and never changes the store.
 */
export async function examineRuns(
  source: RunSource,
  files: RecordFiles,
  how: { readonly repair: boolean },
): Promise<Examined> {
  const runs = await listRuns(source, { limit: mostRuns });
  const findings: DoctorFinding[] = [];
  let repaired = 0;
  for (const { runId, kind, state } of runs) {
    if (kind === "draft") {
      const wrong = await wrongFilesAtRest(source, files, runId);
      if (wrong.length > 0 && how.repair) {
        await files.write(runId, wrong);
        repaired += wrong.length;
      } else if (wrong.length > 0) {
        const names = wrong.map(({ name }) => name).join(", ");
        findings.push({
          level: "error",
          text: `The record of run ${runId} differs from the store: ${names}.`,
          hint: "`signoff doctor --repair` writes these files again.",
        });
      }
    }
    const misfit = kind === "draft" && state === "finished" && (await misfitOf(source, runId));
    if (typeof misfit === "string") {
      findings.push({
        level: "error",
        text: `The record of run ${runId} does not fit its evidence: ${misfit}.`,
        hint: `\`signoff verify ${runId}\` says what it would take.`,
      });
    }
    if (state === "interrupted") {
      findings.push({
        level: "warning",
        text: `Run ${runId} was interrupted: its process is gone.`,
        hint: `Continue with \`signoff runs resume ${runId}\`.`,
      });
    }
  }
  const checked: DoctorFinding = {
    level: "ok",
    text: `Runs compared with their records: ${runs.length}.`,
  };
  return { findings: [checked, ...findings], repaired };
}

async function misfitOf(source: RunSource, run: RunId): Promise<string | undefined> {
  const evidence = await loadEvidence(source, run);
  return evidence && draftMisfit(evidence);
}

/** While a run is executed its files follow its events; when it has ended they are complete. */
async function wrongFilesAtRest(source: RunSource, files: RecordFiles, run: RunId) {
  if ((await wrongFiles(source, files, run)).length === 0) return [];
  const holder = (await source.store.runs.load(run))?.holder;
  if (holder !== undefined && !source.isDead(holder)) return [];
  return wrongFiles(source, files, run);
}

async function wrongFiles(source: RunSource, files: RecordFiles, run: RunId) {
  const rulings = await source.store.read((repos) => repos.rulings.of(run));
  const expected = expectedRecord(run, await allEvents(source.store.runs)(run), rulings);
  if (expected.length === 0) return [];
  const present = await files.read(run);
  return expected.filter(({ name, content }) => present.get(name) !== content);
}
