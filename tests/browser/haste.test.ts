import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { sharedBrowser } from "../support/browser.ts";
import { preparedFolder } from "../support/prepared-folder.ts";
import { newProjectFolder, runStory, serveStudio, unsigned } from "../support/studio.ts";
import { makeEpisode } from "../support/studio-episode.ts";

const { visit } = sharedBrowser();
const episode = preparedFolder(makeEpisode);

/** What is pressed meanwhile is heard afterwards, one right after the other. */
function keepBusy(page: Page): Promise<void> {
  return page.evaluate(() => {
    const end = performance.now() + 1_000;
    while (performance.now() < end);
  });
}

describe("a person who is faster than the page", () => {
  it("is let in all the same after a reload in the middle of signing in", async () => {
    const studio = await serveStudio(newProjectFolder());
    const { page, context } = await visit(studio);
    await context.clearCookies();
    let isHeld = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      isHeld = resolve;
    });
    await page.route("**/api/v1/session", () => isHeld(), { times: 1 });
    await page.goto("about:blank");
    await page.goto(`${studio.origin}/#token=${studio.token}`);
    await held;
    await page.reload();
    await page.getByText("Write a text").waitFor();
    expect(page.url()).toBe(`${studio.origin}/`);
  });

  it("pays once for two clicks that a busy page hears in one go", async () => {
    const root = newProjectFolder();
    episode.copyTo(root);
    const { page } = await visit(await serveStudio(root), "/episodes");
    await page.getByRole("link", { name: /long_shelf/u }).click();
    await page.getByRole("link", { name: /^Mastodon/u }).click();
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST") asked.push(new URL(request.url()).pathname);
    });
    const button = page.getByRole("button", { name: "Draft more" });
    // Whatever is still to come would push the button away from where it was.
    await page.getByText("No candidate yet", { exact: true }).waitFor();
    await button.click({ trial: true });
    const { x = 0, y = 0, width = 0, height = 0 } = (await button.boundingBox()) ?? {};
    const place = { x: x + width / 2, y: y + height / 2, button: "left", clickCount: 1 } as const;
    const hand = await page.context().newCDPSession(page);
    const presses = ["mousePressed", "mouseReleased", "mousePressed", "mouseReleased"] as const;
    await Promise.all([
      keepBusy(page),
      ...presses.map((type) => hand.send("Input.dispatchMouseEvent", { type, ...place })),
    ]);
    await page.getByRole("link", { name: "Open the run" }).waitFor();
    await page.getByTestId("candidate-text").first().waitFor();
    expect(asked).toHaveLength(1);
  });
});

it("a browser that has lost its network still decides: the studio is on this machine", async () => {
  const root = newProjectFolder();
  const run = await runStory(root, unsigned);
  const { page } = await visit(await serveStudio(root), `/drafts/${run}`);
  await page.getByRole("button", { name: /^Approve/u }).click();
  await page.evaluate(() => window.dispatchEvent(new Event("offline")));
  await page.getByLabel("Reason (optional)").fill("it says what we do");
  await page.keyboard.press("Control+Enter");
  await page.getByText("Mira approved it").waitFor();
});
