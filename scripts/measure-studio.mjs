// What the first load of Home costs in a real browser: `node scripts/measure-studio.mjs`.
import { openStudio } from "./open-studio.mjs";

const { url, browser, close } = await openStudio(["studio", "--port", "0"]);
try {
  const context = await browser.newContext();
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  const requests = new Map();
  session.on("Network.requestWillBeSent", ({ requestId, request }) =>
    requests.set(requestId, { url: request.url, bytes: 0 }),
  );
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const known = requests.get(requestId);
    if (known !== undefined) known.bytes = encodedDataLength;
  });
  await page.goto(url);
  await page.getByRole("heading", { name: "Needs you" }).waitFor();
  await page.waitForTimeout(1_000);
  const all = [...requests.values()];
  for (const { url: path, bytes } of all)
    console.log(`${bytes}\t${path.replace(/^.*?\/\/[^/]*/u, "")}`);
  const total = all.reduce((sum, { bytes }) => sum + bytes, 0);
  const paint = await page.evaluate(
    () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime,
  );
  console.log(
    `${all.length} requests, ${(total / 1000).toFixed(1)} kB, first paint ${Math.round(paint)} ms`,
  );
} finally {
  await close();
}
