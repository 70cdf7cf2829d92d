import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parseConfig } from "../../../src/contract/config/parse-config.ts";
import { openModelServer } from "../../support/model-servers.ts";
import { inFolder, listRuns, runSignoff, writeScript } from "../../support/signoff-process.ts";

const bottles = "eco-friendly water bottles";
const approvedAtOnce = { creator: ['=Hydrate, "Green"'], reviewer: ["SHIP IT!"] };

describe("init", () => {
  it("writes a valid, commented file once, and asks nothing without a terminal", async () => {
    await inFolder(async (cwd) => {
      const ollama = await openModelServer();
      const run = (...args: string[]) => runSignoff(args, { cwd, env: {} });
      const made = await runSignoff(["init", "--json"], {
        cwd,
        env: { OLLAMA_BASE_URL: ollama.url },
      });
      expect(made.code).toBe(0);
      expect(JSON.parse(made.stdout)).toMatchObject({
        model: null,
        ollama_models: ["ollama/mistral:latest", "ollama/gemma2:2b"],
      });
      const text = await readFile(join(cwd, "signoff.yaml"), "utf8");
      expect(parseConfig(text, "signoff.yaml").kind).toBe("parsed");
      const open = text.replace(/^# (?=\s*[\w-]+:| {2})/gmu, "").replace(/^ {2}# /gmu, "  ");
      expect(parseConfig(open, "signoff.yaml")).toMatchObject({ kind: "parsed" });
      expect(await run("init")).toMatchObject({ code: 2 });
      expect(await run("draft", "a lamp")).toMatchObject({ code: 2 });
      expect(await readFile(join(cwd, "signoff.yaml"), "utf8")).toBe(text);
    });
  });
});

describe("config", () => {
  it("tells each value and where it comes from, and changes one without losing a comment", async () => {
    await inFolder(async (cwd) => {
      await writeFile(join(cwd, "signoff.yaml"), "version: 1 # ours\ndrafting: { max_turns: 4 }\n");
      const env = { OLLAMA_TEMPERATURE: "0.4" };
      const run = (...args: string[]) => runSignoff(args, { cwd, env });
      const shown = JSON.parse((await run("config", "show", "--json")).stdout) as {
        settings: readonly { name: string; value: unknown; source: string }[];
      };
      expect(shown.settings).toContainEqual({
        ...{ name: "drafting.max_turns", value: 4, source: "signoff.yaml:2" },
      });
      expect(shown.settings).toContainEqual({
        ...{ name: "temperature", value: 0.4, source: "environment" },
      });
      expect(await run("config", "set", "drafting.max_turns", "11")).toMatchObject({ code: 2 });
      expect(await run("config", "set", "foo", "1")).toMatchObject({ code: 2 });
      expect(await run("config", "set", "drafting.max_turns", "3")).toMatchObject({ code: 0 });
      const text = await readFile(join(cwd, "signoff.yaml"), "utf8");
      expect(text).toContain("# ours");
      expect((await run("config", "show", "drafting.max_turns")).stdout).toMatch(/yaml:2 +3/u);
      expect((await run("config", "path")).stdout).toBe(`${join(cwd, "signoff.yaml")}\n`);
    });
  });
});

describe("recipes", () => {
  it("lists, shows and checks, naming file, line and field", async () => {
    await inFolder(async (cwd) => {
      const run = (...args: string[]) => runSignoff(args, { cwd });
      const listed = JSON.parse((await run("recipes", "list", "--json")).stdout) as {
        recipes: readonly { id: string; valid: boolean }[];
      };
      expect(listed.recipes).toHaveLength(21);
      for (const recipe of listed.recipes) expect(recipe).toMatchObject({ valid: true });
      const folder = join(cwd, "signoff", "recipes");
      await mkdir(folder, { recursive: true });
      const { stdout } = await run("recipes", "show", "slogan");
      const mine = stdout.replace("id: slogan", "id: tagline");
      await writeFile(join(folder, "tagline.md"), mine);
      expect(await run("recipes", "check")).toMatchObject({ code: 0 });
      await writeFile(join(folder, "tagline.md"), mine.replace("max_turns: 5", "max_turn: 5"));
      const wrong = await run("recipes", "check");
      expect(wrong.code).toBe(2);
      expect(wrong.stderr).toContain("signoff/recipes/tagline.md:8:1 max_turn");
      const drafted = await run("draft", bottles, "--recipe", "tagline");
      expect(drafted).toMatchObject({ code: 2, stdout: "" });
    });
  });
});

describe("runs", () => {
  it("exports, counts and removes; what is accepted can be kept", async () => {
    await inFolder(async (cwd) => {
      const script = await writeScript(cwd, approvedAtOnce);
      const env = { SIGNOFF_FIXED_TIME: "2020-01-01T00:00:00.000Z" };
      const run = (...args: string[]) => runSignoff(args, { cwd });
      await runSignoff(["draft", bottles, "--script", script], { cwd, env });
      const never = await writeScript(cwd, { creator: ["Drink"], reviewer: ["No."] }, "no.json");
      const args = ["draft", bottles, "--script", never, "--max-turns", "1"];
      expect(await runSignoff(args, { cwd, env })).toMatchObject({ code: 1 });
      const runs = await listRuns({ cwd });
      const approved = runs.find(({ outcome }) => outcome === "approved")?.run_id ?? "";
      const json = JSON.parse((await run("runs", "export", approved)).stdout) as object;
      expect(json).toMatchObject({
        version: 1,
        session: { completion_reason: "approved" },
        calls: [{ role: "creator", state: "replied" }, { role: "reviewer" }],
      });
      const csv = (await run("runs", "export", approved, "--format", "csv")).stdout;
      expect(csv.split("\r\n")[1]).toMatch(/^1,"'=Hydrate, ""Green""",,true,/u);
      const stats = JSON.parse((await run("runs", "stats", "--json")).stdout) as {
        drafts: readonly { runs: number }[];
      };
      expect(stats.drafts.map((one) => one.runs)).toEqual([1, 1]);
      const prune = ["runs", "prune", "--older-than", "1d", "--keep-accepted", "--json"];
      const dry = JSON.parse((await run(...prune, "--dry-run")).stdout) as { runs: unknown[] };
      expect(dry.runs).toHaveLength(1);
      await run(...prune);
      expect((await listRuns({ cwd })).map(({ run_id }) => run_id)).toEqual([approved]);
      expect(existsSync(join(cwd, ".signoff", "runs", approved))).toBe(true);
      expect(await run("runs", "delete", approved)).toMatchObject({ code: 0 });
      expect(existsSync(join(cwd, ".signoff", "runs", approved))).toBe(false);
      const size = JSON.parse((await run("store", "size", "--json")).stdout) as object;
      expect(size).toMatchObject({ runs: 0, calls: 0, texts: 0 });
      expect(await run("runs", "prune", "--older-than", "soon")).toMatchObject({ code: 2 });
    });
  });
});

describe("telemetry", () => {
  it("writes the story as JSON lines and as metrics, and marks replays", async () => {
    await inFolder(async (cwd) => {
      const server = await openModelServer();
      const env = { OLLAMA_BASE_URL: server.url };
      const files = ["--log-file", "draft.log", "--metrics-file", "draft.prom"];
      const args = ["draft", bottles, "--quiet", "--log-level", "debug", ...files];
      expect(await runSignoff(args, { cwd, env })).toMatchObject({ code: 0 });
      const lines = (await readFile(join(cwd, "draft.log"), "utf8")).trim().split("\n");
      const events = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
      const of = (name: string) => events.filter(({ event }) => event === name);
      expect(of("workflow-started")).toMatchObject([
        { level: "info", user_input: bottles, model_name: "ollama/mistral:latest", max_turns: 5 },
      ]);
      expect(of("turn-started")).toMatchObject([{ level: "debug", turn: 1 }, { turn: 2 }]);
      expect(of("candidate-written")).toMatchObject([
        { turn: 1, text: "Hydrate Green, Live Clean", duration_seconds: expect.any(Number) },
        { turn: 2 },
      ]);
      expect(of("review-received")).toMatchObject([
        { turn: 1, approved: false, duration_seconds: expect.any(Number) },
        { turn: 2, approved: true },
      ]);
      expect(of("workflow-completed")).toMatchObject([
        { level: "info", completion_reason: "approved", turn_count: 2 },
      ]);
      const metrics = await readFile(join(cwd, "draft.prom"), "utf8");
      for (const line of [
        'workflow_runs_total{completion_reason="approved"} 1',
        "workflow_turns_sum 2",
        "workflow_duration_seconds_count 1",
        'signoff_calls_total{role="creator",model="ollama/mistral:latest",outcome="replied"} 2',
        'signoff_tokens_total{role="creator",model="ollama/mistral:latest",direction="input"}',
      ]) {
        expect(metrics).toContain(line);
      }
      const info = ["draft", bottles, "--quiet", "--log-level", "info", "--log-file", "info.log"];
      await runSignoff(info, { cwd, env });
      const reported = (await readFile(join(cwd, "info.log"), "utf8")).trim().split("\n");
      expect(reported).toHaveLength(2);
    });
  });
});

describe("the manual and the example", () => {
  const root = fileURLToPath(new URL("../../../", import.meta.url));

  it("is what the commands say, and every command has an example", () => {
    const checked = spawnSync(process.execPath, ["scripts/generate.mjs", "--check"], {
      cwd: root,
      encoding: "utf8",
    });
    expect(checked).toMatchObject({ status: 0, stderr: "" });
  });

  it("runs as its page says", async () => {
    await inFolder(async (cwd) => {
      await cp(join(root, "examples", "slogan"), cwd, { recursive: true });
      const run = (...args: string[]) => runSignoff(args, { cwd });
      expect(await run("draft", bottles, "--script", "approved.json")).toMatchObject({ code: 0 });
      const limit = ["draft", bottles, "--script", "limit.json", "--max-turns", "2"];
      expect(await run(...limit)).toMatchObject({ code: 1 });
      expect(await run("recipes", "check")).toMatchObject({ code: 0 });
      const tagline = [
        "draft",
        "a night train to Lisbon",
        "--model",
        "offline/rules",
        "--recipe",
        "tagline",
        "--json",
      ];
      const { stdout } = await run(...tagline);
      expect(JSON.parse(stdout)).toMatchObject({ recipe: "tagline", stand_in: true });
    });
  });

  it("completes words in bash", async () => {
    await inFolder(async (cwd) => {
      const { stdout } = await runSignoff(["completion", "bash"], { cwd });
      const asked = `${stdout}\nCOMP_WORDS=(signoff runs ex); COMP_CWORD=2; _signoff; echo "\${COMPREPLY[@]}"`;
      const reported = spawnSync("bash", ["-c", asked], { cwd, encoding: "utf8" });
      expect(reported.stdout.trim()).toBe("export");
      for (const shell of ["zsh", "fish"]) {
        expect((await runSignoff(["completion", shell], { cwd })).stdout).toContain("export");
      }
      expect(await runSignoff(["completion", "cmd"], { cwd })).toMatchObject({ code: 2 });
    });
  });
});
