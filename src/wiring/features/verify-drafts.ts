import type { Standing } from "../../domain/evidence/standing.ts";
import { deriveStanding } from "../../orchestration/drafting/derive-draft.ts";
import { listRuns } from "../../orchestration/runs/list-runs.ts";
import type { Project } from "../project/project.ts";
import { runSourceOf } from "../project/run-source.ts";

const mostRuns = 10_000;

/** The standing of every decided draft. One that continues in another run is left out: that run counts instead. */
export async function verifyDrafts(project: Project): Promise<readonly Standing[]> {
  const source = runSourceOf(project.store, project.clock);
  const runs = await listRuns(source, { kind: "draft", state: "finished", limit: mostRuns });
  const found: Standing[] = [];
  for (const { runId, outcome } of runs) {
    if (outcome === "changes_requested" || outcome === "edited") continue;
    const standing = await deriveStanding(source, runId);
    if (standing !== undefined) found.push(standing);
  }
  return found;
}
