import { describe, expect, it } from "vitest";
import { pressInARow, sharedBrowser } from "../support/browser.ts";
import { newProjectFolder, runStory, serveStudio, signed, unsigned } from "../support/studio.ts";

const { visit } = sharedBrowser();

async function studioWithStories() {
  const root = newProjectFolder();
  const run = await runStory(root, unsigned);
  await runStory(root, signed);
  return { studio: await serveStudio(root), run };
}

describe("getting around", () => {
  it("names each page in the tab and hands it the focus, without a mouse", async () => {
    const { studio } = await studioWithStories();
    const { page } = await visit(studio);
    await page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
    expect(await page.title()).toBe("Home · Signoff");
    await pressInARow(page, "g", "r");
    await page.waitForFunction(() => document.title === "Runs and cost · Signoff");
    await page.waitForFunction(() => document.activeElement?.tagName === "H1");
    await page.goBack();
    await page.waitForFunction(() => document.title === "Home · Signoff");
  });

  it("goes to a run from anywhere by typing a part of its title", async () => {
    const { studio, run } = await studioWithStories();
    const { page } = await visit(studio, "/packs");
    await page.getByRole("heading", { name: "Packs" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search" }).fill("headphones");
    await page.getByRole("option", { name: /repair workshops for headphones/u }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(`${studio.origin}/drafts/${run}`);
    await page.getByRole("heading", { name: "repair workshops for headphones" }).waitFor();
  });

  it("leaves single keys alone once a person has switched them off", async () => {
    const { studio } = await studioWithStories();
    const { page } = await visit(studio);
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Single-key shortcuts" }).click();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await page.keyboard.press("n");
    await pressInARow(page, "g", "i");
    await page.getByRole("link", { name: "Runs", exact: true }).click();
    await page.getByRole("heading", { name: "Runs and cost" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Runs and cost" }).waitFor();
    await page.keyboard.press("n");
    expect(new URL(page.url()).pathname).toBe("/runs");
  });

  it("says that an address leads to nothing under a heading, with the way to what there is", async () => {
    const { studio } = await studioWithStories();
    const nothing = "00000000-0000-0000-0000-000000000000";
    const { page } = await visit(studio, `/runs/${nothing}`);
    for (const [path, list] of [
      [`/runs/${nothing}`, "Runs"],
      [`/drafts/${nothing}`, "Runs"],
      ["/episodes/0123456789abcdef", "Episodes"],
      ["/episodes/0123456789abcdef/slug", "Episodes"],
      ["/packs/none", "Packs"],
      [`/packs/none/runs/${nothing}`, "Packs"],
      ["/stages/none", "Stages"],
    ] as const) {
      await page.goto(studio.origin + path);
      await page.getByRole("heading", { name: "Not found", level: 1 }).waitFor();
      await page.getByRole("main").getByRole("link", { name: list }).waitFor();
      expect([path, await page.title()]).toEqual([path, "Not found · Signoff"]);
      expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
    }
  });

  it("links each waiting item on Home to that item", async () => {
    const { studio, run } = await studioWithStories();
    const { page } = await visit(studio);
    const waiting = page.getByRole("region", { name: "Needs you" });
    await waiting.getByRole("link", { name: /repair workshops for headphones/u }).click();
    await page.waitForURL(`${studio.origin}/drafts/${run}`);
  });

  it("finds runs by title and keeps the search in the address", async () => {
    const { studio } = await studioWithStories();
    const { page } = await visit(studio, "/runs");
    await page.getByRole("searchbox", { name: "Search runs" }).fill("lisbon");
    await page.waitForURL(/text=lisbon/u);
    await page.getByRole("row", { name: /night train/u }).waitFor();
    await page.getByRole("row", { name: /headphones/u }).waitFor({ state: "detached" });
    await page.reload();
    await page.getByRole("row", { name: /night train/u }).waitFor();
    await page.getByLabel("State").selectOption("failed");
    await page.getByText("No matching runs").waitFor();
  });
});
