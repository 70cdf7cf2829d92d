// Measures what grows: the first page of each list with 100 and with 100,000 runs, and the frames of the matrix.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { chromium } from "playwright-core";
import { browserPath } from "./test-browser.ts";

const signoff = new URL("../dist/bin/signoff.js", import.meta.url).pathname;
const matrix = new URL("../dist/studio-testing/", import.meta.url).pathname;
const lists = [
  "/api/v1/runs",
  "/api/v1/drafts",
  "/api/v1/runs?state=waiting",
  "/api/v1/inbox",
  "/api/v1/costs",
];
const rounds = 21;

const few = await measure(100);
const many = await measure(100_000);
for (const path of lists) {
  const factor = many[path] / few[path];
  console.log(
    `${path}: ${few[path].toFixed(1)} ms with 100 runs, ${many[path].toFixed(1)} ms with 100,000 (${factor.toFixed(1)}×)`,
  );
}
const { median, slow } = await frames();
console.log(
  `matrix 10,000 × 50: median frame ${median.toFixed(1)} ms, 95th percentile ${slow.toFixed(1)} ms`,
);

async function measure(count) {
  const root = mkdtempSync(join(tmpdir(), "signoff-bench-"));
  const env = { ...process.env, HOME: root, SIGNOFF_USER: "bench" };
  spawnSync(process.execPath, [signoff, "draft", "water bottles", "--quiet"], { cwd: root, env });
  multiply(join(root, ".signoff", "signoff.db"), count);
  const server = spawn(process.execPath, [signoff, "studio", "--port", "0", "--print-url"], {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise((resolve) => {
    server.stdout.once("data", (data) => resolve(String(data).trim()));
  });
  const [origin, token] = url.split("/#token=");
  const figures = {};
  for (const path of lists) figures[path] = await medianOf(origin + path, token);
  server.kill("SIGINT");
  await new Promise((resolve) => server.once("exit", resolve));
  rmSync(root, { recursive: true, force: true });
  return figures;
}

/** Copies the one finished run, a second apart each, over as many days as that takes. */
function multiply(path, count) {
  const database = new Database(path);
  database.exec(`
    CREATE TEMP TABLE numbers AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1}) SELECT i FROM n;
    CREATE TEMP TABLE one_run AS SELECT * FROM runs LIMIT 1;
    CREATE TEMP TABLE one_job AS SELECT * FROM jobs LIMIT 1;
    INSERT INTO jobs SELECT 'bench/' || i, input, input_text, settings, budget FROM one_job, numbers;
  `);
  const columns = database.pragma("table_info(runs)").map(({ name }) => name);
  const id = "printf('%08x-0000-4000-8000-000000000000', i)";
  const made = {
    run: id,
    top: id,
    job: "'bench/' || i",
    created_at: "strftime('%Y-%m-%dT%H:%M:%S.000Z', 'now', '-' || i || ' seconds')",
  };
  const values = columns.map((name) => made[name] ?? name).join(", ");
  database.exec(`INSERT INTO runs SELECT ${values} FROM one_run, numbers`);
  database.close();
}

async function medianOf(url, token) {
  const times = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = performance.now();
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    await response.text();
    if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
    times.push(performance.now() - before);
  }
  return times.sort((a, b) => a - b)[Math.floor(rounds / 2)];
}

async function frames() {
  const browser = await chromium.launch({
    executablePath: browserPath(),
    args: ["--no-sandbox", "--disable-gpu"],
  });
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.addStyleTag({ path: `${matrix}matrix.css` });
  await page.addScriptTag({ path: `${matrix}matrix.js` });
  await page.getByRole("grid").waitFor();
  const times = await page.evaluate(async () => {
    const element = document.querySelector(".matrix");
    const taken = [];
    let before = await new Promise(requestAnimationFrame);
    for (let at = 0; at < 240; at += 1) {
      element.scrollTop += 200;
      if (at % 20 === 0) element.scrollLeft = (at % 40) * 20;
      const now = await new Promise(requestAnimationFrame);
      taken.push(now - before);
      before = now;
    }
    return taken.sort((a, b) => a - b);
  });
  await browser.close();
  return { median: times[120], slow: times[228] };
}
