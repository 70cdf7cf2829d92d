import { undecidedStanding } from "../../domain/drafting/draft-standing.ts";
import type { Standing } from "../../domain/evidence/standing.ts";
import { defined } from "../../domain/values/defined.ts";
import { deriveStanding } from "../../orchestration/drafting/derive-draft.ts";
import { everyPage } from "../../orchestration/runs/every-page.ts";
import { listRuns, type RunOverview, type RunSource } from "../../orchestration/runs/list-runs.ts";
import type { Project } from "../project/project.ts";
import { runSourceOf } from "../project/run-source.ts";

/**
 * The standing of the wanted drafts. One that was given up or continues in another run is left out, unless it was asked
 * for by name: in the second case that run counts.
 */
export async function verifyDrafts(
  project: Project,
  isWanted: (name: string) => boolean,
  isNamed: boolean,
): Promise<readonly Standing[]> {
  const source = runSourceOf(project.store, project.clock);
  const found: Standing[] = [];
  for await (const draft of draftsOf(source)) {
    const { runId, state, outcome, title } = draft;
    if (!isWanted(runId)) continue;
    const isOver = state === "cancelled" || outcome === "changes_requested" || outcome === "edited";
    if (isOver && !isNamed) continue;
    const standing =
      state === "finished"
        ? await deriveStanding(source, runId)
        : undecidedStanding({ runId, state, brief: title });
    if (standing !== undefined) found.push(standing);
  }
  return found;
}

const pageSize = 1_000;

function draftsOf(source: RunSource): AsyncGenerator<RunOverview> {
  return everyPage(pageSize, (last) => {
    const after = last && { createdAt: last.createdAt, run: last.runId };
    return listRuns(source, { kind: "draft", limit: pageSize, ...defined({ after }) });
  });
}
