// What the first load of Home costs in a real browser: `node scripts/measure-studio.mjs`.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { browserPath } from "./test-browser.ts";

const signoff = new URL("../dist/bin/signoff.js", import.meta.url).pathname;
const root = mkdtempSync(join(tmpdir(), "signoff-studio-"));
const server = spawn(process.execPath, [signoff, "studio", "--port", "0", "--print-url"], {
  cwd: root,
  env: { ...process.env, HOME: root },
  stdio: ["ignore", "pipe", "inherit"],
});
const url = await new Promise((resolve, reject) => {
  server.stdout.once("data", (data) => resolve(String(data).trim()));
  server.once("exit", () => reject(new Error("The studio did not start.")));
});
const browser = await chromium.launch({
  executablePath: browserPath(),
  args: ["--no-sandbox", "--disable-gpu"],
});
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
  await browser.close();
  server.kill("SIGINT");
  await new Promise((resolve) => server.once("exit", resolve));
  rmSync(root, { recursive: true, force: true });
}
