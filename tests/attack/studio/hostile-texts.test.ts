import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { sharedBrowser } from "../../support/browser.ts";
import { newProjectFolder, runStory, serveStudio } from "../../support/studio.ts";

const { visit } = sharedBrowser();

const image = '<img src=x onerror="window.hacked=1">';
const script = "<script>window.hacked=1</script>";
const link = '<a href="javascript:window.hacked=1">free</a> [free](javascript:window.hacked=1)';
const broken = '"><svg/onload=window.hacked=1>{{7*7}}';

async function nothingRunsOn(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByText("bottles").first().waitFor();
  expect(await page.locator("main script, main img, main svg[onload]").count()).toBe(0);
}

describe("texts that try to be more than text", () => {
  it("are shown letter by letter, wherever they come from, and do nothing", async () => {
    const root = newProjectFolder();
    const run = await runStory(root, {
      brief: `bottles ${image}`,
      creator: [`${script} bottles`, `${link} ${broken}`],
      reviewer: [`Vague ${image} ${script}`, `Still vague ${broken} ${link}`],
      maxTurns: 2,
    });
    const studio = await serveStudio(root, { by: `Mira ${image}` });
    const { page, foreignRequests, complaints } = await visit(studio, "/inbox");
    for (const path of ["/", "/inbox", "/runs"]) await nothingRunsOn(page, studio.origin + path);
    await page.goto(`${studio.origin}/drafts/${run}?turn=1`);
    await page.getByRole("heading", { name: `bottles ${image}` }).waitFor();
    expect(await page.getByTestId("turn-text").innerText()).toBe(`${script} bottles`);
    await page.goto(`${studio.origin}/drafts/${run}?turn=2&against=1`);
    await expect
      .poll(() => page.getByTestId("differences").innerText())
      .toContain("javascript:window.hacked=1");
    await page.getByText("4 calls").waitFor();
    // Parts of the page that arrive later have details too, so each look opens them all.
    await expect
      .poll(async () => {
        await page.locator("details").evaluateAll((all) => {
          for (const details of all as HTMLDetailsElement[]) details.open = true;
        });
        return page.getByRole("region", { name: /^Raw reply/u }).count();
      })
      .toBe(4);
    await page.getByRole("button", { name: /^Approve/u }).click();
    await page.getByLabel("Reason (optional)").fill(image);
    await page.keyboard.press("Control+Enter");
    await page.getByText("Decisions").waitFor();
    await page.getByText(`Mira ${image}`, { exact: true }).waitFor();
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
    expect(foreignRequests).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("cannot be run by a page of another origin that frames or opens the studio", async () => {
    const studio = await serveStudio(newProjectFolder());
    const { page } = await visit(studio);
    await page.getByRole("heading", { name: "Home" }).waitFor();
    const evil = await page.context().newPage();
    await evil.setContent(`<iframe src="${studio.origin}/"></iframe>`);
    const refused = await evil.evaluate(async (origin) => {
      const tries = [
        fetch(`${origin}/api/v1/runs`, { credentials: "include" }),
        fetch(`${origin}/api/v1/drafts`, {
          method: "POST",
          credentials: "include",
          mode: "no-cors",
          body: JSON.stringify({ brief: "spend money" }),
        }).then((response) => response.text()),
      ];
      return (await Promise.allSettled(tries)).map((one) =>
        one.status === "rejected" ? "refused" : one.value,
      );
    }, studio.origin);
    expect(refused).toEqual(["refused", "refused"]);
    expect(await evil.frames()[1]?.content()).not.toContain('id="root"');
    const runs = await page.evaluate(async () => (await (await fetch("/api/v1/runs")).json()).runs);
    expect(runs).toEqual([]);
  });
});
