/// <reference lib="dom" />
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Serious axe violations of a page; evaluated by the debugger, which the page's policy cannot block. */
export async function seriousFindings(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const { axe: checker } = globalThis as unknown as {
      axe: {
        run(options: object): Promise<{
          violations: { id: string; impact: string; nodes: { html: string }[] }[];
        }>;
      };
    };
    const { violations } = await checker.run({ resultTypes: ["violations"] });
    return violations.map(({ id, impact, nodes }) => ({ id, impact, html: nodes[0]?.html ?? "" }));
  });
  return found
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, html }) => `${id}: ${html}`);
}

/** How far a page scrolls sideways. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
}

/** How much of an element overflows, as in a bar that scrolls sideways. */
export function hiddenOf(part: Locator): Promise<number> {
  return part.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
}

const everyLook = [
  { width: 1280, colorScheme: "light" },
  { width: 1280, colorScheme: "dark" },
  { width: 390, colorScheme: "dark" },
  { width: 390, colorScheme: "light" },
] as const;

/** Waits until nothing on the page says that it is loading. */
export async function loaded(page: Page): Promise<void> {
  await expect.poll(() => page.getByText("Loading…").count()).toBe(0);
}

/** Opens each address once and looks at it wide and narrow, in the light and in the dark. */
export async function expectUsable(
  page: Page,
  addresses: readonly string[],
  findMore: (page: Page) => Promise<unknown> = async () => 0,
): Promise<void> {
  for (const address of addresses) {
    await page.goto(address);
    await page.locator("h1").waitFor();
    await loaded(page);
    for (const { width, colorScheme } of everyLook) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)));
      const found = [await seriousFindings(page), await overflowOf(page), await findMore(page)];
      expect(found, `${address}, ${width} wide, ${colorScheme}`).toEqual([[], 0, 0]);
    }
  }
}
