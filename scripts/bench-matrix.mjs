// Scrolls 10,000 notes × 50 gates in a real browser, served by a real studio, and says how long frames took.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { browserPath } from "./test-browser.ts";

const notes = 10_000;
const gates = 50;
const strides = 300;
/** Of all frames while scrolling, 95 in 100 take at most this. */
const budgetMillis = 33.4;

const root = mkdtempSync(join(tmpdir(), "signoff-matrix-"));
const environment = { ...process.env, SIGNOFF_USER: "Mira Holm" };
const signoff = new URL("../dist/bin/signoff.js", import.meta.url).pathname;

mkdirSync(join(root, "signoff/gates/prose"), { recursive: true });
for (let at = 0; at < gates; at += 1) {
  const text = "---\ndescription: A check\n---\nIs it said plainly?\n";
  writeFileSync(join(root, `signoff/gates/prose/gate-${String(at).padStart(2, "0")}.md`), text);
}
for (let at = 0; at < notes; at += 1) {
  const folder = join(root, "notes", `shelf-${at % 100}`);
  if (at < 100) mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `note-${at}.md`), `# Note ${at}\n\nBread is sold out by nine.\n`);
}

const server = spawn(process.execPath, [signoff, "studio", "--port", "0", "--print-url"], {
  cwd: root,
  env: environment,
  stdio: ["ignore", "pipe", "inherit"],
});
let browser;
try {
  const url = await new Promise((resolve, reject) => {
    server.stdout.once("data", (data) => resolve(String(data).trim()));
    server.once("exit", () => reject(new Error("The studio did not start.")));
  });
  browser = await chromium.launch({
    executablePath: browserPath(),
    args: ["--no-sandbox", "--disable-gpu"],
  });
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(url);
  await page.getByRole("heading", { name: "What is going on" }).waitFor();
  const begun = performance.now();
  await page.goto(`${url.split("#")[0]}notes`);
  await page.getByRole("gridcell").first().waitFor({ timeout: 60_000 });
  const shown = performance.now() - begun;
  const bytes = await page.evaluate(
    async () => (await (await fetch("/api/v1/notes/matrix")).arrayBuffer()).byteLength,
  );
  const wheel = await page.evaluate(scrollThrough, { strides, pixels: 96 });
  const flick = await page.evaluate(scrollThrough, { strides, pixels: 384 });
  await page.goto("about:blank");
  await page.setContent(
    '<div class="matrix" style="height:800px;overflow:auto"><p style="height:400000px"></div>',
  );
  const empty = await page.evaluate(scrollThrough, { strides, pixels: 96 });
  const told = {
    notes,
    gates,
    first_cells_seconds: round(shown / 1_000),
    answer_megabytes: round(bytes / 1_000_000),
    budget: `95 of 100 frames within ${budgetMillis} ms`,
    wheel: summary(wheel),
    flick: summary(flick),
    empty_page: summary(empty),
    load_average: round(loadavg()[0]),
  };
  console.log(JSON.stringify(told, undefined, 2));
  process.exitCode = told.wheel.is_kept ? 0 : 1;
} finally {
  await browser?.close();
  server.kill("SIGKILL");
  rmSync(root, { recursive: true, force: true });
}

function summary(frames) {
  const sorted = frames.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  const late = frames.filter((millis) => millis > budgetMillis).length / frames.length;
  return {
    millis: { p50: round(at(0.5)), p95: round(at(0.95)), p99: round(at(0.99)) },
    late_percent: round(late * 100),
    is_kept: at(0.95) <= budgetMillis,
  };
}

function round(value) {
  return Math.round(value * 100) / 100;
}

/** Down one stride a frame, with a move to the side after each ten. */
async function scrollThrough({ strides, pixels }) {
  const matrix = document.querySelector(".matrix");
  const frames = [];
  let before = await new Promise(requestAnimationFrame);
  for (let stride = 1; stride <= strides; stride += 1) {
    matrix.scrollTo(stride % 20 < 10 ? 0 : 400, stride * pixels);
    const now = await new Promise(requestAnimationFrame);
    frames.push(now - before);
    before = now;
  }
  return frames;
}
