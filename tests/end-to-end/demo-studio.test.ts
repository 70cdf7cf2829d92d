import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runSignoff } from "../support/signoff-process.ts";
import { newProjectFolder } from "../support/studio.ts";
import { type StudioProcess, startStudioProcess } from "../support/studio-process.ts";

const read = async (studio: StudioProcess, path: string) =>
  JSON.parse(await (await studio.ask("GET", path)).text());

async function stop({ process }: StudioProcess): Promise<number | null> {
  const ended = once(process, "exit");
  process.kill("SIGINT");
  return (await ended)[0];
}

describe("the demo project", () => {
  it("has something of everything, made by commands that it lists, and is there the next time", async () => {
    const cwd = newProjectFolder();
    const studio = await startStudioProcess(cwd, ["demo", "--studio"]);
    const { runs } = await read(studio, "/api/v1/runs?limit=200");
    const kinds = runs.map(({ kind }: { kind: string }) => kind);
    expect(kinds).toEqual(
      expect.arrayContaining(["draft", "episode-review", "gate-review", "pack", "pack-loop"]),
    );
    const { items } = await read(studio, "/api/v1/inbox");
    expect(items.map(({ kind }: { kind: string }) => kind)).toContain("needs_human");
    expect(await stop(studio)).toBe(0);
    const story = readFileSync(join(cwd, "signoff-demo", "DEMO.md"), "utf8");
    for (const command of ["draft", "episode review", "notes review", "pack run", "stage run"]) {
      expect(story).toContain(`signoff ${command}`);
    }
    const again = await startStudioProcess(cwd, ["demo", "--studio"]);
    const { runs: same } = await read(again, "/api/v1/runs?limit=200");
    expect(same).toEqual(runs);
    expect(await stop(again)).toBe(0);
  });

  it("is not made over a folder that holds something else", async () => {
    const cwd = newProjectFolder();
    mkdirSync(join(cwd, "thesis"));
    writeFileSync(join(cwd, "thesis", "chapter-1.md"), "It was a dark night.\n");
    const { code, stderr } = await runSignoff(["demo", "--studio", "--into", "thesis"], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain("--into");
  });
});
