import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { rename } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";
import { expect, inject, it, onTestFinished } from "vitest";
import { encodeDraftInput } from "../../src/contract/drafting/draft-input.ts";
import type { Json } from "../../src/domain/values/json.ts";
import { frozenDraft } from "../../src/wiring/features/prepare-draft.ts";
import { loadRecipe } from "../../src/wiring/features/recipes.ts";
import { databaseOf } from "../../src/wiring/project/project-id.ts";
import { readEnvironment } from "../../src/wiring/settings/environment.ts";
import { openTeam, type Team } from "../support/cluster.ts";
import { submitDrafts } from "../support/cluster-drill.ts";
import { openCountingModels } from "../support/counting-models.ts";
import { createDatabase } from "../support/postgres.ts";
import { smallProgram } from "../support/small-programs.ts";

interface Planted {
  readonly kind?: string;
  readonly input: Json;
  readonly settings?: Json;
}

const key = "sk-of-the-worker-0123456789";

/** Remembers whatever reaches it. */
async function openEar(): Promise<{ readonly url: string; readonly heard: string[] }> {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    heard.push(`${request.url} ${JSON.stringify(request.headers)}`);
    response.writeHead(404).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard };
}

/** Puts each job into the place of a draft that waits for a worker, as whoever can write to the database could. */
async function plant(shop: Team, planted: readonly Planted[]): Promise<pg.Client> {
  await submitDrafts(shop, planted.length);
  const environment = readEnvironment({ ...shop.env });
  const { url, schema } = await databaseOf({ root: shop.folder, environment });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query(`SET search_path = "${schema}"`);
  const { rows } = await client.query<{ run: string; job: string }>("SELECT run, job FROM runs");
  for (const [at, { kind = "draft", input, settings = {} }] of planted.entries()) {
    const { run, job } = rows[at] ?? { run: "", job: "" };
    await client.query("UPDATE runs SET kind = $2 WHERE run = $1", [run, kind]);
    await client.query(
      "UPDATE jobs SET input = $2, input_text = NULL, settings = $3 WHERE id = $1",
      [...[job, JSON.stringify(input), JSON.stringify(settings)]],
    );
  }
  return client;
}

it("a planted job starts no program, reads no file, and sends nothing to an address the worker does not know", async () => {
  const folder = mkdtempSync(join(tmpdir(), "signoff-bait-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const mark = join(folder, "started");
  const program = await smallProgram(`: > ${mark}\ncat >/dev/null\necho "Hydrate"`);
  const claude = join(dirname(program), "claude");
  await rename(program, claude);
  const script = join(folder, "script.json");
  writeFileSync(script, JSON.stringify({ creator: ["READ FROM A FILE"], reviewer: ["SHIP IT!"] }));
  const ear = await openEar();
  const openAi = await openEar();
  const asked = await openCountingModels(5);
  onTestFinished(() => asked.close());
  const created = await createDatabase(inject("postgres"));
  onTestFinished(() => created.drop());
  const path = `${dirname(process.execPath)}:${dirname(claude)}:/usr/bin:/bin`;
  const env = { PATH: path, OPENAI_API_KEY: key, OPENAI_BASE_URL: openAi.url, OTHER_SECRET: key };
  const shop = openTeam({ database: created.url, models: asked.url, env });
  onTestFinished(() => shop.close());
  expect(await shop.run("store", "migrate")).toMatchObject({ code: 0 });

  const recipe = await loadRecipe("slogan", shop.folder);
  const draft = (writer: string) =>
    encodeDraftInput(
      frozenDraft({ brief: "lamps", recipe, writer, reviewers: [{ label: "law", model: writer }] }),
    );
  const scenario = {
    ...{
      schema_version: "domain_scenario_manifest_v1",
      scenario_id: "s",
      domain: "shop",
      title: "S",
    },
    ...{ description: "", bindings: {}, analysis_context: {} },
    steps: [{ step_id: "one", question: "What?" }],
  };
  const target = { folder: "../../outside", assistant_url: ear.url };
  const pack = {
    schema_version: "domain_scenario_pack_v1",
    pack_id: "p",
    domain: "shop",
    title: "P",
  };
  const packTarget = {
    ...target,
    pack: { ...pack, bindings: {}, scenarios: [scenario] },
    ...{ spec_hash: "a", repeat: 1, file_hints: {} },
  };
  const client = await plant(shop, [
    { input: draft("command/claude") },
    { input: draft("command/touch") },
    { input: draft(`script:${script}`) },
    { input: draft("openai/gpt-4o"), settings: { base_url: ear.url } },
    {
      input: draft("openai/gpt-4o"),
      settings: { api_key_env: "OTHER_SECRET", headers: { x: key } },
    },
    { input: draft("compatible/ear/model"), settings: { base_url: ear.url } },
    { input: draft("ollama/shop"), settings: { base_url: ear.url } },
    { input: draft("ollama/shop") },
    { kind: "scenario", input: { ...target, scenario } },
    { kind: "pack", input: { ...packTarget, awaits_analyst: false } },
    {
      kind: "pack-loop",
      input: {
        ...{ ...packTarget, analyst_model: "offline/rules", stand_in: true, target_score: 100 },
        ...{ max_iterations: 2, repair_mode: "auto-coder", coder: ["touch", mark] },
        ...{ validation_command: "", previous: [] },
      },
    },
    {
      kind: "stage-repair",
      input: {
        ...{ folder: "stages/shop", iteration_id: "1", globs: [] },
        command: { argv: ["touch", mark], timeout_ms: 1_000, reads: "text", input: "" },
        ordered_by: { host: "worker one", pid: 1, process_start: "1" },
      },
    },
    { kind: "no-such-kind", input: {} },
  ]);
  const worker = await shop.startWorker("one");
  const open = async () => {
    const { rows } = await client.query<{ kind: string; state: string; ending: string }>(
      "SELECT kind, state, ending FROM runs WHERE state IN ('queued', 'running')",
    );
    return rows.map(({ kind, state }) => `${kind} ${state}`);
  };
  await expect.poll(open).toEqual([]);

  expect(existsSync(mark)).toBe(false);
  expect(ear.heard).toEqual([]);
  // The key goes where the worker's own environment says, and no other value goes with it.
  expect(openAi.heard.length).toBeGreaterThan(0);
  for (const one of openAi.heard) expect(one.split(key)).toHaveLength(2);
  expect(asked.asked.length).toBeGreaterThan(0);
  const { rows: calls } = await client.query("SELECT * FROM calls");
  expect(JSON.stringify(calls)).not.toContain("READ FROM A FILE");
  const { rows: ends } = await client.query<{ kind: string; ending: string | null }>(
    "SELECT kind, ending FROM runs WHERE kind IN ('scenario', 'pack', 'pack-loop', 'stage-repair')",
  );
  for (const { kind, ending } of ends) expect(ending, kind).toContain("not-on-workers");
  const { rows: unknown } = await client.query<{ state: string; ending: string }>(
    "SELECT state, ending FROM runs WHERE kind = 'no-such-kind'",
  );
  expect(unknown).toMatchObject([{ state: "failed" }]);
  expect(unknown[0]?.ending).toContain("No flow of this version");
  expect(worker.child.exitCode).toBeNull();
});
