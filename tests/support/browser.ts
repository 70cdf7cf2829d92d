/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { existsSync } from "node:fs";
import {
  type Browser,
  type BrowserContext,
  chromium,
  type Locator,
  type Page,
} from "playwright-core";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { browserPath } from "../../scripts/test-browser.ts";
import type { ServedStudio } from "./studio.ts";

/** Generous: only a hanging test reaches it, even on a busy machine. */
const patience = 120_000;

const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--force-prefers-reduced-motion",
];

export interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Requests to other hosts than the studio, refused or not. */
  readonly foreignRequests: readonly string[];
  /** Script errors and policy violations of the page. */
  readonly complaints: readonly string[];
}

/** One real browser for all tests of a file; each visitor has separate cookies. */
export function sharedBrowser(): {
  visit(
    studio: Pick<ServedStudio, "origin" | "token">,
    path?: string,
    how?: VisitOptions,
  ): Promise<Visitor>;
  /** A page without the studio, for a part of it alone. */
  emptyPage(): Promise<Page>;
} {
  let browser: Browser;
  beforeAll(async () => {
    requireBuiltStudio();
    browser = await chromium.launch({
      executablePath: browserPath(),
      args: flags,
      timeout: patience,
    });
  });
  afterAll(() => browser?.close());
  return {
    async emptyPage() {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
      page.setDefaultTimeout(patience);
      onTestFinished(() => page.close());
      return page;
    },
    async visit(studio, path = "/", how = {}) {
      const { width = 1280, colorScheme = "light", hasToken = true } = how;
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
      context.setDefaultTimeout(patience);
      onTestFinished(() => context.close());
      const page = await context.newPage();
      const foreignRequests: string[] = [];
      const complaints: string[] = [];
      page.on("request", (request) => {
        if (!request.url().startsWith(studio.origin) && !request.url().startsWith("blob:")) {
          foreignRequests.push(request.url());
        }
      });
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("console", (message) => {
        if (message.type() === "error") complaints.push(message.text());
      });
      page.on("dialog", (dialog) => {
        complaints.push(`A dialog said: ${dialog.message()}`);
        void dialog.dismiss();
      });
      await page.goto(studio.origin + path + (hasToken ? `#token=${studio.token}` : ""));
      // Before the token is exchanged any other page of the studio would be refused.
      await page.waitForURL(({ hash }) => hash === "");
      return { page, context, foreignRequests, complaints };
    },
  };
}

/** Keys that form one command if pressed in quick succession, even on a slow machine. */
export async function pressInARow(page: Page, ...keys: readonly string[]): Promise<void> {
  await Promise.all(keys.map((key) => page.keyboard.press(key)));
}

/** Reaches something with the Tab key alone, and presses Enter on it. */
export async function tabToAndPress(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let tabs = 0; tabs < 60; tabs += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) {
      return page.keyboard.press("Enter");
    }
    await page.keyboard.press("Tab");
  }
  throw new Error("The Tab key does not reach it.");
}

interface VisitOptions {
  readonly width?: number;
  readonly colorScheme?: "light" | "dark";
  readonly hasToken?: boolean;
}

function requireBuiltStudio(): void {
  if (existsSync(new URL("../../dist/studio/index.html", import.meta.url))) return;
  throw new Error("The studio is not built. Run: npm run build");
}
