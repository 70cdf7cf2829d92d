// What the parts of the campaign share: a PostgreSQL with synced commits, models that count, a project, and what
// processes use.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import pg from "pg";
import { openTeam } from "../../tests/support/cluster.ts";
import { openCountingModels } from "../../tests/support/counting-models.ts";
import { startPostgres } from "../../tests/support/postgres.ts";

/** Runs the work with a server, models and a migrated project of its own, and removes them. */
export async function withTeam({ latency = 20, settings, postgres = {}, reply }, work) {
  // Synced commits, as in production: the figures are about them.
  const server = await startPostgres({ fsync: "on", full_page_writes: "on", ...postgres });
  const models = await openCountingModels(latency, reply);
  const team = openTeam({ database: server.url, models: models.url, settings });
  try {
    const migrated = await team.run("store", "migrate");
    if (migrated.code !== 0) throw new Error(migrated.output);
    return await work({ server, models, team });
  } finally {
    await team.close();
    await models.close();
    await server.remove();
  }
}

/** Rows of one statement, as any database tool would read them. */
export async function rowsOf(url, sql, values = []) {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}

export async function databaseSize(url) {
  await rowsOf(url, "CHECKPOINT");
  const [row] = await rowsOf(url, "SELECT pg_database_size(current_database()) AS size");
  return Number(row.size);
}

const ticks = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

/** Seconds of processor time that a process has used, its own and that of children it has waited for. */
export function cpuOf(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /su, "")
      .split(" ");
    return [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0) / ticks;
  } catch {
    return 0;
  }
}

/** The server's process and those of its connections. */
export function cpuOfDatabase(server) {
  const pid = String(server.pid());
  const children = execFileSync("ps", ["--ppid", pid, "-o", "pid="], { encoding: "utf8" });
  const all = [pid, ...children.split("\n")].map((one) => one.trim()).filter((one) => one !== "");
  return all.reduce((sum, one) => sum + cpuOf(one), 0);
}

export function cpuOfWorkers(workers) {
  return workers.reduce((sum, { child }) => sum + cpuOf(child.pid), 0);
}

export function round(value) {
  return Math.round(value * 100) / 100;
}

/** The sentence, unless it holds. */
export function unless(holds, sentence) {
  return holds ? [] : [sentence];
}
