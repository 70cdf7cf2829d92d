import { rmSync, writeFileSync } from "node:fs";
import { inFolder, interleaved } from "../measure.mjs";
import { pathOf } from "../processes.mjs";
import { fillWithRuns, signedIn, startStudio, withBrowser } from "../studio.mjs";

/** One sentence without styles or scripts, served like every file of the studio. */
const bare = pathOf("../../dist/studio/bare.html");
const barePage = "<!doctype html><title>Bare</title><p>A bare page.</p>";

/** The first thing on the screen of Home beside a bare page of the same server, and what its first load costs. */
export async function studioHome() {
  return inFolder(async (cwd) => {
    fillWithRuns(cwd, 100);
    writeFileSync(bare, barePage);
    const studio = await startStudio(cwd).finally(() => rmSync(bare));
    try {
      return await withBrowser((browser) => measured(browser, studio));
    } finally {
      await studio.stop();
    }
  });
}

async function measured(browser, studio) {
  const first = await firstLoad(browser, studio);
  const page = await signedIn(browser, studio);
  const paintOf = (address) => async () => {
    await page.goto("about:blank");
    await page.goto(studio.origin + address);
    const entry = await page.waitForFunction(
      () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime,
    );
    return entry.jsonValue();
  };
  const paint = await interleaved(9, { home: paintOf("/"), bare: paintOf("/bare.html") });
  return [
    {
      figure: "studio: first content of Home",
      ...{ unit: "ms", ours: paint.home, bound: paint.bare, target: 1.5 },
      boundIs: "a page of one sentence of the same server",
    },
    {
      figure: "studio: first load of Home",
      ...{ unit: "kB", ours: first.bytes / 1000, bound: 200, boundIs: "the limit", target: 1 },
    },
    {
      figure: "studio: requests of the first load",
      ...{ unit: "", ours: first.requests, bound: 12, boundIs: "the limit", target: 1 },
    },
  ];
}

/** With an empty cache, until nothing is loaded any more; the stream of events stays open. */
async function firstLoad(browser, studio) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  let requests = 0;
  let bytes = 0;
  session.on("Network.requestWillBeSent", () => {
    requests += 1;
  });
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.goto(studio.url);
  await page.getByRole("heading", { name: "Needs you" }).waitFor();
  await page.waitForTimeout(1_000);
  await context.close();
  return { requests, bytes };
}
