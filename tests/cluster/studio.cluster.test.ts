import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, it, onTestFinished } from "vitest";
import { openTeam } from "../support/cluster.ts";
import { look, submitDrafts } from "../support/cluster-drill.ts";
import { openCountingModels } from "../support/counting-models.ts";
import { createDatabase } from "../support/postgres.ts";
import { type StudioProcess, startStudioProcess } from "../support/studio-process.ts";

it("a studio hears of runs that another checkout begins and a worker executes", async () => {
  const database = await createDatabase(inject("postgres"));
  onTestFinished(() => database.drop());
  const models = await openCountingModels(5);
  onTestFinished(() => models.close());
  const parts = { database: database.url, models: models.url };
  const [here, there] = [openTeam(parts), openTeam(parts)];
  onTestFinished(async () => void (await Promise.all([here.close(), there.close()])));
  expect(await here.run("store", "migrate")).toMatchObject({ code: 0 });
  copyFileSync(join(here.folder, "signoff.yaml"), join(there.folder, "signoff.yaml"));
  await there.startWorker("one");
  const studio = await startStudioProcess(here.folder, ["studio", "--port", "0"], { ...here.env });
  const heard = await changesAt(studio);
  models.hold();
  const [run = ""] = [...(await submitDrafts(there, 1)).keys()];
  await expect.poll(() => heard.join("")).toContain(run);
  models.release();
  const state = async () => (await look<{ state: string }>(there, "SELECT state FROM runs"))[0];
  await expect.poll(state).toMatchObject({ state: "finished" });
  const shown = await studio.ask("GET", "/api/v1/runs");
  expect(await shown.text()).toContain(run);
});

/** What the stream of changes has sent so far. */
async function changesAt(studio: StudioProcess): Promise<readonly string[]> {
  const heard: string[] = [];
  const { body } = await studio.ask("GET", "/api/v1/events");
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  const readOn = async (): Promise<void> => {
    for (;;) {
      const part = await reader?.read();
      if (part?.value === undefined) return;
      heard.push(part.value);
    }
  };
  // It ends with the studio.
  readOn().catch(() => undefined);
  return heard;
}
