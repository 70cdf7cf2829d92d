import { expect, it } from "vitest";
import { WorkflowError } from "../../domain/values/workflow-error.ts";
import { listStages, type StageCatalog } from "./list-stages.ts";

/** Notes which stages are derived; each of them turns out to be damaged. */
function countingCatalog() {
  const derived: string[] = [];
  const catalog = {
    stagesFolder: "runs/stage_agent_loops",
    folders: { names: async () => ["billing", "desk"] },
    replays: async (folder: string) => {
      derived.push(folder);
      throw new WorkflowError(`${folder} is damaged`, { code: "test" });
    },
  } as unknown as StageCatalog;
  return { catalog, derived };
}

it("derives every stage where none is named", async () => {
  const { catalog, derived } = countingCatalog();
  const { damaged } = await listStages(catalog);
  expect(derived).toEqual(["runs/stage_agent_loops/billing", "runs/stage_agent_loops/desk"]);
  expect(damaged).toEqual(derived.map((folder) => ({ folder, problem: `${folder} is damaged` })));
});

it("derives the stage that is named, and no other", async () => {
  const { catalog, derived } = countingCatalog();
  await listStages(catalog, (stageId) => stageId === "desk");
  expect(derived).toEqual(["runs/stage_agent_loops/desk"]);
});
