import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { sharedBrowser } from "../support/browser.ts";

const built = fileURLToPath(new URL("../../dist/studio-testing/", import.meta.url));
const { emptyPage } = sharedBrowser();

async function openMatrix() {
  const page = await emptyPage();
  await page.addStyleTag({ path: `${built}matrix.css` });
  await page.addScriptTag({ path: `${built}matrix.js` });
  await page.getByRole("grid").waitFor();
  return page;
}

describe("the matrix of ten thousand notes and fifty gates", () => {
  it("draws no more cells than the screen can show, wherever it is scrolled to", async () => {
    const page = await openMatrix();
    const cells = () => page.getByRole("gridcell").count();
    await page.getByText("note-0.md").waitFor();
    expect(await cells()).toBeGreaterThan(100);
    expect(await cells()).toBeLessThan(2_500);
    await page.getByRole("grid").evaluate((grid) => {
      grid.parentElement?.parentElement?.scrollTo(600, 160_000);
    });
    await page.getByText("note-5010.md").waitFor();
    expect(await cells()).toBeLessThan(2_500);
    expect(await page.getByText("note-0.md").count()).toBe(0);
  });

  it("is walked with the arrow keys and opened with Enter", async () => {
    const page = await openMatrix();
    await page.getByRole("grid").focus();
    for (const key of ["ArrowDown", "ArrowDown", "ArrowRight", "PageDown", "ArrowUp"]) {
      await page.keyboard.press(key);
    }
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.title === "21 1");
    const current = page.locator('[aria-selected="true"]');
    expect(await current.getAttribute("aria-label")).toMatch(
      /^gardening\/soil\/note-21\.md, gate-1: /u,
    );
  });
});
