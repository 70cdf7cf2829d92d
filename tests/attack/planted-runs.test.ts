import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { pathOfWorkspace } from "../../src/wiring/features/episodes.ts";
import { openModelServer } from "../support/model-servers.ts";
import { openAiWire, secretKey } from "../support/provider-wires.ts";
import { type EndedProcess, listRuns, runSignoff } from "../support/signoff-process.ts";
import { smallProgram } from "../support/small-programs.ts";
import { openStageStory, smallPack } from "../support/stage-story.ts";
import { operateOnStore } from "../support/store-surgery.ts";
import { startStudioProcess } from "../support/studio-process.ts";

const bottles = "eco-friendly water bottles";

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "signoff-planted-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The project as a copy: the same files at another place. */
function copied(project: string): string {
  const folder = join(emptyFolder(), "copy");
  cpSync(project, folder, { recursive: true });
  return folder;
}

const oneLine = ({ stdout, stderr }: EndedProcess) => `${stdout} ${stderr}`.replace(/\s+/gu, " ");

/** A project with an unfinished run, started by its owner. */
async function abandoned(
  args: readonly string[],
  { env, at }: { readonly env: { readonly [name: string]: string }; readonly at: string },
) {
  const project = emptyFolder();
  const owner = { cwd: project, env: { HOME: emptyFolder(), ...env } };
  await runSignoff(args, { ...owner, env: { ...owner.env, SIGNOFF_STOP_AT: at } });
  const [run] = await listRuns(owner);
  return { project, owner, id: run?.run_id ?? "" };
}

describe("a run in a copied project", () => {
  it("starts no program, by whatever door it is resumed", async () => {
    const mark = join(emptyFolder(), "started");
    const program = await smallProgram(`: > ${mark}\ncat >/dev/null\necho "Hydrate"`);
    await rename(program, join(dirname(program), "claude"));
    const env = { PATH: `${dirname(program)}:/usr/bin:/bin` };
    const args = ["draft", bottles, "--model", "command/claude"];
    const { project, id, owner } = await abandoned(args, { env, at: "attempt-started" });
    const cwd = copied(project);
    const stranger = { cwd, env: { ...env, HOME: emptyFolder() } };
    const resumed = await runSignoff(["runs", "resume", id], stranger);
    expect(oneLine(resumed)).toContain('start ["claude"');
    expect(resumed.code).not.toBe(0);
    await runSignoff(["runs", "resume", id, "--trust"], stranger);
    const studio = await startStudioProcess(cwd, ["studio", "--adopt"], stranger.env);
    await studio.ask("POST", `/api/v1/runs/${id}/resume`, {}, { "idempotency-key": "again" });
    await expect
      .poll(async () => (await (await studio.ask("GET", `/api/v1/runs/${id}`)).json()).state)
      .toBe("failed");
    expect(existsSync(mark)).toBe(false);
    await runSignoff(["runs", "resume", id], owner);
    expect(existsSync(mark)).toBe(true);
  });

  it("sends no key, while its owner resumes it without being asked again", async () => {
    const server = await openModelServer({ wire: openAiWire });
    const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: secretKey };
    const args = ["draft", bottles, "--model", "openai/gpt-4o"];
    const { project, id, owner } = await abandoned(args, { env, at: "attempt-started" });
    const before = server.seen.length;
    const stranger = { cwd: copied(project), env: { ...env, HOME: emptyFolder() } };
    const resumed = await runSignoff(["runs", "resume", id], stranger);
    expect(oneLine(resumed)).toContain("send the value of OPENAI_API_KEY");
    expect(server.seen).toHaveLength(before);
    expect(await runSignoff(["runs", "resume", id], owner)).toMatchObject({ code: 0 });
  });

  it("starts no coder that its job names", async () => {
    const shop = await openStageStory({ pack: smallPack });
    shop.write("coder.cjs", `require("node:fs").writeFileSync("started", "")`);
    const coder = ["--repair-mode", "auto-coder", "--coder", "node", "coder.cjs"];
    const words = ["run", "--skip-question-review", ...coder];
    await shop.stageWith({ SIGNOFF_STOP_AT: "iteration-judged" }, ...words);
    const cwd = copied(shop.path);
    const [run] = await listRuns({ cwd });
    const resumed = await runSignoff(["runs", "resume", run?.run_id ?? ""], { cwd });
    expect(oneLine(resumed)).toContain('start ["node","coder.cjs"]');
    expect(existsSync(join(cwd, "started"))).toBe(false);
    await shop.stage(...words);
    expect(existsSync(join(shop.path, "started"))).toBe(true);
  });

  it("writes nothing outside the project, wherever its job says that its files go", async () => {
    const shop = await openStageStory({ pack: smallPack });
    const words = ["pack", "run", "--manifest", "examples/scenario-pack/pack.yaml", "--quiet"];
    const given = ["--assistant-url", shop.shop.url, "--skip-question-review"];
    const env = { SIGNOFF_STOP_AT: "step-judged" };
    await runSignoff([...words, ...given], { cwd: shop.path, env });
    const cwd = copied(shop.path);
    const outside = join(dirname(cwd), "outside");
    operateOnStore(
      cwd,
      "UPDATE jobs SET input = replace(input, 'artifacts/domain_runs', '../outside') WHERE input IS NOT NULL",
    );
    const runs = await listRuns({ cwd });
    for (const { run_id: id } of runs) {
      const resumed = await runSignoff(["runs", "resume", id, "--accept-changes"], { cwd });
      expect(resumed.code).not.toBe(0);
      expect(oneLine(resumed)).not.toContain("bug in signoff");
    }
    expect(runs.length).toBeGreaterThan(0);
    expect(existsSync(outside)).toBe(false);
  });

  it("opens no workspace outside the project", async () => {
    const cwd = emptyFolder();
    expect(() => pathOfWorkspace(cwd, "../elsewhere")).toThrow(/leads out/u);
    expect(() => pathOfWorkspace(cwd, "/etc")).toThrow(/relative/u);
    expect(pathOfWorkspace(cwd, ".")).toBe(cwd);
  });
});
