import { spawn } from "node:child_process";
import { join } from "node:path";
import Database from "better-sqlite3";
import { chromium } from "playwright-core";
import { browserPath } from "../test-browser.ts";
import { median } from "./measure.mjs";
import { cli, runNode } from "./processes.mjs";

const env = (home) => ({ HOME: home, SIGNOFF_USER: "bench" });

/** The studio of the build on the project in this folder. */
export async function startStudio(cwd) {
  const args = [cli, "studio", "--port", "0", "--print-url"];
  const stdio = ["ignore", "pipe", "inherit"];
  const settings = { cwd, env: { ...process.env, ...env(cwd) }, stdio };
  const server = spawn(process.execPath, args, settings);
  const url = await new Promise((resolve, reject) => {
    server.stdout.once("data", (data) => resolve(String(data).trim()));
    server.once("exit", (code) => reject(new Error(`The studio ended with ${code}.`)));
  });
  const [origin, token] = url.split("/#token=");
  const ask = async (path) => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${origin}/api/v1/${path}`, { headers });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${text}`);
    return JSON.parse(text);
  };
  const stop = async () => {
    server.kill("SIGINT");
    await new Promise((resolve) => server.once("exit", resolve));
  };
  return { url, origin, ask, stop };
}

/** The median of a few answers to the same request, in milliseconds. */
export async function timeToAnswer(studio, path, rounds = 9) {
  const times = [];
  for (let round = 0; round < rounds; round += 1) {
    const began = performance.now();
    await studio.ask(path);
    times.push(performance.now() - began);
  }
  return median(times);
}

export async function withBrowser(work) {
  const args = ["--no-sandbox", "--disable-gpu"];
  const browser = await chromium.launch({ executablePath: browserPath(), args });
  try {
    return await work(browser);
  } finally {
    await browser.close();
  }
}

/** A page of a browser that is signed in. */
export async function signedIn(browser, { url }) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForURL(({ hash }) => hash === "");
  await page.getByRole("heading", { name: "Home" }).waitFor();
  return page;
}

/** A new load until something is there that only the answer of the server can show; the median. */
export async function timeToShow(page, address, selector, rounds = 5) {
  const times = [];
  for (let round = 0; round < rounds; round += 1) {
    await page.goto("about:blank");
    const began = performance.now();
    await page.goto(address, { waitUntil: "commit" });
    await page.locator(selector).first().waitFor();
    times.push(performance.now() - began);
  }
  return median(times);
}

/** One real draft, and copies of it a second apart each, with their calls. */
export function fillWithRuns(cwd, count) {
  const draft = [cli, "draft", "water bottles", "--model", "offline/rules", "--quiet"];
  const { status, stderr } = runNode(draft, { cwd, env: env(cwd) });
  if (status !== 0) throw new Error(`No draft was made: ${stderr}`);
  const database = new Database(join(cwd, ".signoff", "signoff.db"));
  database.exec(`
    CREATE TEMP TABLE numbers AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1}) SELECT i FROM n;
    CREATE TEMP TABLE one_run AS SELECT * FROM runs LIMIT 1;
    CREATE TEMP TABLE one_job AS SELECT * FROM jobs LIMIT 1;
    CREATE TEMP TABLE its_calls AS SELECT * FROM attempts;
    INSERT INTO jobs SELECT 'bench/' || i, replace(input, 'water bottles', 'water bottles ' || i), input_text, settings, budget
      FROM one_job, numbers;
  `);
  const id = "printf('%08x-0000-4000-8000-000000000000', i)";
  const createdAt = "strftime('%Y-%m-%dT%H:%M:%S.000Z', 'now', '-' || i || ' seconds')";
  copy(database, "runs", "one_run", {
    ...{ run: id, top: id, job: "'bench/' || i", created_at: createdAt, listed_at: "NULL" },
  });
  copy(database, "attempts", "its_calls", { run: id });
  database.close();
}

function copy(database, table, from, made) {
  const columns = database.pragma(`table_info(${table})`).map(({ name }) => name);
  const values = columns.map((name) => made[name] ?? name).join(", ");
  database.exec(`INSERT INTO ${table} (${columns}) SELECT ${values} FROM ${from}, numbers`);
}
