import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sharedBrowser } from "../support/browser.ts";
import { overflowOf, seriousFindings } from "../support/browser-checks.ts";
import { startStudioProcess } from "../support/studio-process.ts";

const { visit } = sharedBrowser();
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "signoff-demo-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the demo's studio", () => {
  it.each([1280, 390])("has something to see on every page, %i pixels wide", async (width) => {
    const { url } = await startStudioProcess(folder, ["demo", "--studio"]);
    const [origin = "", token = ""] = url.split("/#token=");
    const { page, foreignRequests, complaints } = await visit({ origin, token }, "/", { width });
    for (const [path, seen] of [
      ["/", "a library card for tools"],
      ["/inbox", "repair workshops for headphones"],
      ["/episodes", "long_shelf_12"],
      ["/notes", "notes/allergens.md"],
      ["/packs", "The shop's books"],
      ["/stages", "Reports of the night shift"],
      ["/runs", "Export CSV"],
    ] as const) {
      await page.goto(origin + path);
      await page.getByText(seen).first().waitFor();
      expect(await overflowOf(page), path).toBe(0);
      expect(await seriousFindings(page), path).toEqual([]);
    }
    expect(foreignRequests).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
