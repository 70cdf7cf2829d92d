/// <reference lib="dom" />
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sharedBrowser } from "../support/browser.ts";
import { loaded, overflowOf, seriousFindings } from "../support/browser-checks.ts";
import { runSignoff } from "../support/signoff-process.ts";
import { type StudioProcess, startStudioProcess } from "../support/studio-process.ts";

const { visit } = sharedBrowser();
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "signoff-demo-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = async (studio: StudioProcess, path: string) =>
  JSON.parse(await (await studio.ask("GET", path)).text());

async function stop({ process }: StudioProcess): Promise<number | null> {
  const ended = once(process, "exit");
  process.kill("SIGINT");
  return (await ended)[0];
}

/** Twice the letters on a wide screen is what 200 % does to those who enlarge text alone. */
const looks = [
  [1280, 100],
  [1280, 200],
  [640, 100],
  [390, 100],
] as const;

describe("the demo's studio", () => {
  it("has something of everything, made by commands that it lists, and is there the next time", async () => {
    const studio = await startStudioProcess(folder, ["demo", "--studio"]);
    const { runs } = await read(studio, "/api/v1/runs?limit=200");
    const kinds = runs.map(({ kind }: { kind: string }) => kind);
    expect(kinds).toEqual(
      expect.arrayContaining(["draft", "episode-review", "gate-review", "pack", "pack-loop"]),
    );
    const { items } = await read(studio, "/api/v1/inbox");
    expect(items.map(({ kind }: { kind: string }) => kind)).toContain("needs_human");
    expect(await stop(studio)).toBe(0);
    const story = readFileSync(join(folder, "signoff-demo", "DEMO.md"), "utf8");
    for (const command of ["draft", "episode review", "notes review", "pack run", "stage run"]) {
      expect(story).toContain(`signoff ${command}`);
    }
    const again = await startStudioProcess(folder, ["demo", "--studio"]);
    const { runs: same } = await read(again, "/api/v1/runs?limit=200");
    expect(same).toEqual(runs);
    expect(await stop(again)).toBe(0);
  });

  it("has something to see on every page, on a desk, on a telephone and in letters of twice the size", async () => {
    const { url } = await startStudioProcess(folder, ["demo", "--studio"]);
    const [origin = "", token = ""] = url.split("/#token=");
    const { page, foreignRequests, complaints } = await visit({ origin, token });
    for (const [path, seen] of [
      ["/", "a library card for tools"],
      ["/inbox", "repair workshops for headphones"],
      ["/episodes", "long_shelf_12"],
      ["/notes", "notes/allergens.md"],
      ["/packs", "The shop's books"],
      ["/stages", "Reports of the night shift"],
      ["/runs", "Export CSV"],
      ["/drafts/new", "Write and review"],
      ...(await deepPages(page)),
    ] as const) {
      await page.goto(origin + path);
      await page.getByText(seen).filter({ visible: true }).first().waitFor();
      await loaded(page);
      for (const [width, size] of looks) {
        await page.setViewportSize({ width, height: 900 });
        await page.evaluate((percent) => {
          document.documentElement.style.fontSize = `${percent}%`;
        }, size);
        expect(await overflowOf(page), `${path} at ${width}, letters ${size} %`).toBe(0);
        if (size === 100) expect(await seriousFindings(page), `${path} at ${width}`).toEqual([]);
      }
    }
    expect(foreignRequests).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("is not made over a folder that holds something else", async () => {
    mkdirSync(join(folder, "thesis"));
    writeFileSync(join(folder, "thesis", "chapter-1.md"), "It was a dark night.\n");
    const demo = ["demo", "--studio", "--into", "thesis"];
    const { code, stderr } = await runSignoff(demo, { cwd: folder });
    expect(code).toBe(2);
    expect(stderr).toContain("--into");
  });
});

/** One page of each kind, with a text that is on it. */
function deepPages(page: Page): Promise<readonly (readonly [path: string, seen: string])[]> {
  return page.evaluate(async () => {
    const ask = async (path: string) => (await fetch(`/api/v1/${path}`)).json();
    const [draft] = (await ask("drafts")).runs;
    const [episode] = (await ask("episodes")).episodes;
    const [after, before] = (await ask("packs/shop_pack")).runs.filter(
      ({ loop }: { readonly loop: unknown }) => loop === null,
    );
    const compared = `before=${before.run_id}&after=${after.run_id}`;
    return [
      [`/drafts/${draft.run_id}`, draft.title],
      [`/runs/${after.run_id}`, "Parts"],
      [`/episodes/${episode.id}`, episode.episode_id],
      [`/episodes/${episode.id}/description`, "Both sides signed"],
      ["/packs/shop_pack", "Steps by run"],
      [`/packs/shop_pack/runs/${after.run_id}`, "Gate"],
      [`/packs/shop_pack/compare?${compared}`, "steps worse"],
      ["/stages/night_reports", "Next:"],
      ["/stages/shop_answers", "Next:"],
    ];
  });
}
