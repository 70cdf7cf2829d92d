import { copyFileSync, writeFileSync } from "node:fs";
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

it("people decide in studios of two checkouts, each as far as their role goes and in their own name", async () => {
  const database = await createDatabase(inject("postgres"));
  onTestFinished(() => database.drop());
  const parts = { database: database.url, models: "http://127.0.0.1:9" };
  const [here, there] = [openTeam(parts), openTeam(parts)];
  onTestFinished(async () => void (await Promise.all([here.close(), there.close()])));
  expect(await here.run("store", "migrate")).toMatchObject({ code: 0 });
  copyFileSync(join(here.folder, "signoff.yaml"), join(there.folder, "signoff.yaml"));
  const replies = { creator: ["Carry less."], reviewer: ["Say what."] };
  writeFileSync(join(here.folder, "replies.json"), JSON.stringify(replies));
  const drafting = ["draft", "a bottle", "--script", "replies.json", "--max-turns", "1", "--json"];
  const drafted = await here.run(...drafting);
  const [run = ""] = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/u.exec(drafted.output) ?? [];
  const tokenOf = async (name: string, role: string): Promise<string> => {
    const { output } = await here.run("people", "add", name, "--role", role, "--json");
    return JSON.parse(output).token;
  };
  const as = (token: string) => ({ authorization: `Bearer ${token}` });
  const [ann, dee] = [await tokenOf("Ann", "look"), await tokenOf("Dee", "decide")];
  const first = await startStudioProcess(here.folder, ["studio", "--port", "0"], here.env);
  const second = await startStudioProcess(there.folder, ["studio", "--port", "0"], there.env);
  const path = `/api/v1/drafts/${run}/rulings`;
  const approval = { act: "approve", version: 0, reason: "it is short" };
  expect((await first.ask("POST", path, approval, as(ann))).status).toBe(403);
  expect((await first.ask("POST", path, approval, as(dee))).status).toBe(201);
  const late = await second.ask("POST", path, approval, as(dee));
  expect([late.status, (await late.json()).code]).toEqual([409, "already-decided"]);
  const seen = await second.ask("GET", `/api/v1/drafts/${run}`, undefined, as(ann));
  expect(await seen.text()).toContain('"by":"Dee"');
  expect(await here.run("people", "remove", "Ann")).toMatchObject({ code: 0 });
  expect((await second.ask("GET", "/api/v1/runs", undefined, as(ann))).status).toBe(401);
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
