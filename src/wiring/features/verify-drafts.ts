import { undecidedStanding } from "../../domain/drafting/draft-standing.ts";
import type { Standing } from "../../domain/evidence/standing.ts";
import { deriveStanding } from "../../orchestration/drafting/derive-draft.ts";
import { listRuns } from "../../orchestration/runs/list-runs.ts";
import type { Project } from "../project/project.ts";
import { runSourceOf } from "../project/run-source.ts";

const mostRuns = 10_000;

/** The standing of every draft that is not given up. One that continues in another run is left out: that run counts. */
export async function verifyDrafts(project: Project): Promise<readonly Standing[]> {
  const source = runSourceOf(project.store, project.clock);
  const found: Standing[] = [];
  for (const draft of await listRuns(source, { kind: "draft", limit: mostRuns })) {
    const { runId, state, outcome, title } = draft;
    if (state === "cancelled" || outcome === "changes_requested" || outcome === "edited") continue;
    const standing =
      state === "finished"
        ? await deriveStanding(source, runId)
        : undecidedStanding({ runId, state, brief: title });
    if (standing !== undefined) found.push(standing);
  }
  return found;
}
