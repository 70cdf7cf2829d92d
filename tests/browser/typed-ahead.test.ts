import { expect, it } from "vitest";
import { sharedBrowser } from "../support/browser.ts";
import { newProjectFolder, serveStudio } from "../support/studio.ts";

const { visit } = sharedBrowser();

it("what is typed before the palette has loaded is in its field, and not done to the page", async () => {
  const studio = await serveStudio(newProjectFolder());
  const { page } = await visit(studio);
  await page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const asked = page.waitForRequest(/\/palette-[^/]*\.js$/u);
  await page.route(/\/palette-[^/]*\.js$/u, async (route) => {
    await released;
    await route.continue();
  });
  await page.keyboard.press("Control+k");
  await asked;
  // The first letter alone would open the page of a new draft.
  for (const key of ["n", "o", "x", "Backspace", "t", "e"]) await page.keyboard.press(key);
  release();
  const field = page.getByRole("combobox", { name: "Search" });
  await field.waitFor();
  expect(await field.inputValue()).toBe("note");
  expect(new URL(page.url()).pathname).toBe("/");
  await page.keyboard.type("s");
  await page.getByRole("option", { name: /^Notes/u }).waitFor();
  expect(await field.inputValue()).toBe("notes");
});
