import { cpSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, inject, it, onTestFinished, vi } from "vitest";
import { startDemoAssistant } from "../../src/adapters/assistant/demo/demo-assistant.ts";
import { openTeam, type Team, type TeamParts } from "../support/cluster.ts";
import { look } from "../support/cluster-drill.ts";
import { openLoopbackProxy } from "../support/loopback-proxy.ts";
import { createDatabase } from "../support/postgres.ts";

const example = fileURLToPath(new URL("../../examples/scenario-pack", import.meta.url));
/** Only a proxy knows this host, and only the workers use the proxy. */
const settings = "scenarios: { assistant: { base_url: http://shop.example } }";
const running = ["pack", "run", "--manifest", "pack/pack.yaml", "-q"];

function opened(parts: Omit<TeamParts, "models">): Team {
  const team = openTeam({ models: "http://127.0.0.1:1", ...parts });
  onTestFinished(() => team.close());
  return team;
}

/** A project with the example pack, and workers of its database that reach the assistant. */
async function shop() {
  const database = await createDatabase(inject("postgres"));
  onTestFinished(() => database.drop());
  const assistant = await startDemoAssistant({ defects: [] });
  onTestFinished(() => assistant.close());
  const proxy = await openLoopbackProxy(Number(new URL(assistant.url).port));
  const analyst = "models: { analyst: offline/rules }";
  const home = opened({ database: database.url, settings: `${settings}\n${analyst}` });
  cpSync(example, join(home.folder, "pack"), { recursive: true });
  expect((await home.run("store", "migrate")).code).toBe(0);
  const env = { HTTP_PROXY: proxy.url, http_proxy: proxy.url, NODE_USE_ENV_PROXY: "1" };
  const workers = (own: string) => opened({ database: database.url, env, settings: own });
  return { home, workers, assistant };
}

it("a pack runs on workers whose own settings name its assistant, and its files are written at home", async () => {
  const { home, workers, assistant } = await shop();
  await workers(settings).startWorker("one");
  const { code, output } = await home.run(...running);
  expect(code, output).toBe(0);
  expect(assistant.questions).toHaveLength(20);
  const folder = join(home.folder, "artifacts", "domain_runs", "shop_pack");
  expect(existsSync(join(folder, "pack_state.json"))).toBe(true);
  expect(existsSync(join(folder, "scenarios"))).toBe(true);
  expect(await look(home, "SELECT 1 FROM runs WHERE task IS NULL")).toEqual([]);
});

it("workers execute the loop of a stage; the stage, its coder and its files stay with the folder", async () => {
  const { home, workers } = await shop();
  const manifest = [
    "stage_id: shop_answers",
    "module_name: Answers",
    "pack_manifest: pack/pack.yaml",
    "target_score: 88",
    "max_iterations: 2",
    "global_stage: { goal: People get answers. }",
    "local_stage: { goal: Answers come first., in_scope: [stock], out_of_scope: [prices], acceptance: [no internals] }",
  ];
  writeFileSync(join(home.folder, "stage.yaml"), `${manifest.join("\n")}\n`);
  await workers(settings).startWorker("one");
  const { code, output } = await home.run("stage", "run", "--manifest", "stage.yaml", "-q");
  expect(code, output).toBe(0);
  const kinds = "SELECT DISTINCT kind, task IS NULL AS at_home FROM runs ORDER BY kind";
  expect(await look(home, kinds)).toEqual([
    { kind: "pack", at_home: false },
    { kind: "pack-loop", at_home: false },
    { kind: "scenario", at_home: false },
  ]);
  const { output: shown } = await home.run("stage", "status", "--manifest", "stage.yaml");
  expect(shown).toMatch(/accepted/u);
});

it("a worker never asks an assistant that its own settings do not name, even for a job that was forged", async () => {
  const { home, workers, assistant } = await shop();
  await workers("scenarios: { assistant: { base_url: http://other.example } }").startWorker("one");
  // No worker may ask it, so the process at home does, which cannot reach it.
  const refused = await home.run(...running);
  expect(refused.code).not.toBe(0);
  expect(await look(home, "SELECT 1 FROM runs WHERE task IS NOT NULL")).toEqual([]);
  await look(
    home,
    `UPDATE runs SET task = (SELECT tasks[1] FROM signoff.workers), state = 'queued', ending = NULL
     WHERE kind = 'scenario' RETURNING run`,
  );
  const open = "SELECT 1 FROM runs WHERE task IS NOT NULL AND state IN ('queued', 'running')";
  await vi.waitUntil(async () => (await look(home, open)).length === 0, { timeout: 60_000 });
  const [ended] = await look<{ ending: string }>(
    home,
    "SELECT ending FROM runs WHERE task IS NOT NULL",
  );
  expect(ended?.ending).toContain("not-on-workers");
  expect(assistant.questions).toEqual([]);
});
