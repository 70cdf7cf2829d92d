import { spawn } from "node:child_process";
import { join } from "node:path";
import Database from "better-sqlite3";
import { inFolder, median } from "../measure.mjs";
import { cli, runNode } from "../processes.mjs";

const lists = ["runs", "drafts", "runs?state=waiting", "inbox", "costs"];
const rounds = 21;

/** The first page of the studio's slowest list: its time must not grow with the number of runs. */
export async function studioLists() {
  const bound = await slowest(100);
  const ours = await slowest(100_000);
  const figure = "slowest list of the studio, 100,000 runs";
  return [{ figure, unit: "ms", ours, bound, boundIs: "with 100 runs", target: 2 }];
}

function slowest(count) {
  return inFolder(async (cwd) => {
    const env = { HOME: cwd, SIGNOFF_USER: "bench" };
    runNode([cli, "draft", "water bottles", "--quiet"], { cwd, env });
    copyRun(join(cwd, ".signoff", "signoff.db"), count);
    const args = [cli, "studio", "--port", "0", "--print-url"];
    const stdio = ["ignore", "pipe", "inherit"];
    const server = spawn(process.execPath, args, { cwd, env: { ...process.env, ...env }, stdio });
    try {
      const url = await new Promise((resolve) => {
        server.stdout.once("data", (data) => resolve(String(data).trim()));
      });
      const [origin, token] = url.split("/#token=");
      const times = [];
      for (const list of lists) times.push(await timeOf(`${origin}/api/v1/${list}`, token));
      return Math.max(...times);
    } finally {
      server.kill("SIGINT");
      await new Promise((resolve) => server.once("exit", resolve));
    }
  });
}

/** Copies the one finished run, a second apart each, over as many days as that takes. */
function copyRun(path, count) {
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

async function timeOf(url, token) {
  const times = [];
  for (let round = 0; round < rounds; round += 1) {
    const began = performance.now();
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    await response.text();
    if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
    times.push(performance.now() - began);
  }
  return median(times);
}
