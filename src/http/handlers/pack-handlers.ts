import type { PackRun } from "../../contract/http/packs.ts";
import { defined } from "../../domain/values/defined.ts";
import { WorkflowError } from "../../domain/values/workflow-error.ts";
import {
  compareShelvedRuns,
  loadPackReport,
  loadPackVerdict,
  loadStepDetail,
} from "../../orchestration/scenarios/load-pack-run.ts";
import { loadPackSteps } from "../../orchestration/scenarios/load-pack-steps.ts";
import { findPackRuns } from "../../orchestration/scenarios/pack-library.ts";
import { type HandlersFor, ok } from "../handler.ts";
import { startOnce } from "../start-once.ts";
import type { StudioParts } from "../studio-parts.ts";
import { started } from "./run-handlers.ts";

const mostRuns = 200;
const recentRuns = 20;
const comparedRuns = 24;

export function packHandlers(
  parts: StudioParts,
): HandlersFor<`${"GET" | "POST"} /api/v1/pack${string}`> {
  const { packs } = parts;
  return {
    "GET /api/v1/packs": async () => {
      const all = await allRuns(packs);
      const ids = [...new Set(all.map(({ packId }) => packId))].sort();
      const listed = ids.map((packId) => {
        const runs = all.filter((run) => run.packId === packId);
        const recent = runs.slice(-recentRuns);
        return { packId, title: titleOf(runs), runs: runs.length, recent };
      });
      return ok({ packs: listed });
    },
    "GET /api/v1/packs/:pack_id": async ({ params: { packId } }) => {
      const runs = (await allRuns(packs)).filter((run) => run.packId === packId);
      if (runs.length === 0) throw unknownPack(packId);
      const newest = runs.slice(-mostRuns).reverse();
      return ok({ packId, title: titleOf(runs), runs: newest });
    },
    "GET /api/v1/packs/:pack_id/steps": async ({ params: { packId } }) => {
      const runs = (await findPackRuns(packs)).filter(({ run }) => run.packId === packId);
      if (runs.length === 0) throw unknownPack(packId);
      const finished = runs.filter(({ run }) => run.state === "finished").slice(-comparedRuns);
      return ok(await loadPackSteps(packs, finished));
    },
    "POST /api/v1/pack-runs/:run_id/repeat": async ({ params, body, idempotencyKey }) => {
      const asked = { work: "repeat", ...params, ...body };
      const run = await startOnce(parts, { asked, ...defined({ idempotencyKey }) }, (named) =>
        parts.repeatRun({ of: params.runId, ...body, ...named }),
      );
      return started(run);
    },
    "GET /api/v1/pack-runs/:run_id": async ({ params }) =>
      ok(await loadPackReport(packs, params.runId)),
    "GET /api/v1/pack-runs/:run_id/verdict": async ({ params }) =>
      ok(await loadPackVerdict(packs, params.runId)),
    "GET /api/v1/pack-runs/:run_id/scenarios/:scenario_id/steps/:step_id": async ({
      params: { runId, ...at },
    }) => ok(await loadStepDetail(packs, runId, at)),
    "GET /api/v1/pack-comparison": async ({ query }) => ok(await compareShelvedRuns(packs, query)),
  };
}

async function allRuns(packs: StudioParts["packs"]): Promise<readonly PackRun[]> {
  return (await findPackRuns(packs)).map(({ run }) => run);
}

/** As the latest run calls it that got as far as having a title. */
function titleOf(runs: readonly PackRun[]): string {
  return (runs.findLast(({ state }) => state === "finished") ?? runs[0])?.title ?? "";
}

function unknownPack(packId: string): WorkflowError {
  return new WorkflowError(`No run of pack ${packId} is in this project.`, {
    code: "pack-unknown",
    facts: { pack: packId },
    hint: "`signoff pack run --manifest FILE` makes one.",
  });
}
