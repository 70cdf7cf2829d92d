// What a person sees, and what becomes of the work, when the database is away, wrong, full, forbidden or pooled: one
// sentence, exit 5, and the same command goes on when the cause is gone, without asking anything again.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getuid } from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { openTeam } from "../../../tests/support/cluster.ts";
import { look, perRun } from "../../../tests/support/cluster-drill.ts";
import { sparePort } from "../../../tests/support/spare-port.ts";
import { aptCommand, installPackage } from "../../test-browser.ts";
import { rowsOf, unless, withTeam } from "../team-at-work.mjs";

export const options = { latency: "20" };

const drafting = ["draft", "a lamp that folds flat", "--model", "ollama/shop"];

export async function run(given) {
  const rows = {};
  const problems = [];
  for (const [name, outage] of Object.entries(outages)) {
    const { says, ...found } = await withTeam({ latency: given.latency }, outage);
    if (found.leftOut !== undefined) {
      rows[name] = `left out: ${found.leftOut}`;
      continue;
    }
    const how = found.code === undefined ? "the worker waits" : `exit ${found.code}`;
    rows[name] = `${how}: ${sentence(found.output)}`;
    problems.push(
      ...unless([found.wanted ?? 5, undefined].includes(found.code), `${name}: exit ${found.code}`),
      ...unless(says.test(found.output), `${name}: ${found.output}`),
      ...unless(found.again.code === 0, `${name}, repeated: ${found.again.output}`),
      ...unless(
        found.runs.every(({ state, lost }) => state === "finished" && lost === 0),
        `${name}: ${JSON.stringify(found.runs)}`,
      ),
      ...unless(
        found.asked === found.recorded,
        `${name}: ${found.asked} were asked, ${found.recorded} are recorded`,
      ),
    );
    rows[`${name}: runs, calls recorded, calls asked`] =
      `${found.runs.length}, ${found.recorded}, ${found.asked}`;
  }
  return { rows, problems };
}

/** What was seen, beside what the record and the models say in the end; each draft has a writer and a reviewer. */
async function outcome({ team, models }, seen) {
  const runs = await perRun(team);
  const recorded = runs.reduce((sum, run) => sum + run.recorded, 0);
  return { ...seen, runs, recorded, asked: models.asked.length };
}

/** What follows `Error:`, without the hint. */
function sentence(output) {
  const text = output.replace(/\s+/gu, " ");
  return /(?:Error: |yet: |✓ )([^.]+(?:\.\S[^.]*)*)/u.exec(text)?.[1] ?? text;
}

const outages = {
  "down at the start": async ({ team, models, server }) => {
    await team.startWorker("one");
    await server.kill();
    const refused = await team.run(...drafting);
    await server.start();
    const again = await team.run(...drafting);
    return await outcome({ team, models }, { ...refused, says: /cannot be reached/u, again });
  },
  "lost in the middle, for longer than is waited": async ({ team, models, server }) => {
    await team.startWorker("one");
    models.hold();
    const following = team.start(...drafting);
    await until(() => models.asked.length === 1);
    await server.kill();
    models.release();
    const code = await following.ended;
    await server.start();
    const again = await team.run(...drafting);
    const seen = { code, output: following.output(), says: /cannot be reached/u, again };
    return await outcome({ team, models }, seen);
  },
  "migrated by a newer version": async (about) =>
    await withWrongSchema(about, {
      break: "INSERT INTO schema_migrations VALUES ('m9998_later'), ('m9999_latest')",
      mend: "DELETE FROM schema_migrations WHERE name LIKE 'm999%'",
      says: /migrated by a newer version/u,
    }),
  "migrated by an older version": async (about) =>
    await withWrongSchema(about, {
      break: "UPDATE schema_migrations SET name = 'm9999_latest' WHERE name = 'm0013_tasks'",
      mend: "UPDATE schema_migrations SET name = 'm0013_tasks' WHERE name = 'm9999_latest'",
      says: /lacks m0013_tasks/u,
    }),
  "a user without rights": async ({ team, models, server }) => {
    await rowsOf(server.url, "CREATE ROLE reader LOGIN");
    const url = new URL(server.url);
    url.username = "reader";
    const reader = { env: { SIGNOFF_DATABASE_URL: url.href } };
    const refused = await team.runWith(reader, ...drafting);
    await team.run("store", "migrate", "--grant", "reader");
    await team.startWorker("one");
    const again = await team.runWith(reader, ...drafting);
    return await outcome({ team, models }, { ...refused, says: /lacks a right/u, again });
  },
  "a full disk": withFullDisk,
  "a pooler in transaction mode": async (about) =>
    await withPooler("transaction", about, async ({ team, models, url }) => {
      const pooled = { env: { SIGNOFF_DATABASE_URL: url } };
      const worker = await team.runWith(pooled, "worker");
      const refused = await team.runWith(pooled, ...drafting);
      await team.startWorker("one");
      const again = await team.run(...drafting);
      const seen = worker.code === 5 ? refused : worker;
      const says = /pooler in transaction mode/u;
      return await outcome({ team, models }, { ...seen, says, again });
    }),
  "a pooler in session mode, as it is installed": async (about) =>
    await withPooler("session", about, async ({ team, models, url }) => {
      const pooled = { database: url, models: models.url };
      const elsewhere = openTeam(pooled);
      try {
        await elsewhere.startWorker("one");
        const again = await team.runWith({ env: { SIGNOFF_DATABASE_URL: url } }, ...drafting);
        return await outcome({ team, models }, { ...again, wanted: 0, says: /Approved/u, again });
      } finally {
        await elsewhere.close();
      }
    }),
};

async function withWrongSchema({ team, models }, about) {
  await team.startWorker("one");
  await look(team, about.break);
  const refused = await team.run(...drafting);
  await look(team, about.mend);
  const again = await team.run(...drafting);
  return await outcome({ team, models }, { ...refused, says: about.says, again });
}

/** The project's tables are on a disk of 48 MB of their own; the log of the database has room. */
async function withFullDisk({ models, server }) {
  if (getuid() !== 0) return { leftOut: "needs root, to mount a small disk" };
  const disk = mkdtempSync(join(tmpdir(), "signoff-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=48m", "tmpfs", disk]);
  const ballast = join(disk, "ballast");
  let team;
  try {
    const space = join(disk, "space");
    execFileSync("mkdir", [space]);
    execFileSync("chown", ["postgres", space]);
    await rowsOf(server.url, `CREATE TABLESPACE small LOCATION '${space}'`);
    await rowsOf(server.url, "CREATE DATABASE shop TABLESPACE small");
    const url = new URL(server.url);
    url.pathname = "/shop";
    team = openTeam({ database: url.href, models: models.url });
    const migrated = await team.run("store", "migrate");
    if (migrated.code !== 0) throw new Error(migrated.output);
    const worker = await team.startWorker("one");
    fillUp(ballast);
    // Free space within pages may take the run itself: then the worker finds no room, says so and tries again.
    const following = team.start(...drafting);
    const says = /no room left/u;
    await until(() => says.test(following.output()) || says.test(worker.output()));
    const isRefused = says.test(following.output());
    const code = isRefused ? await following.ended : undefined;
    rmSync(ballast);
    const again = isRefused
      ? await team.run(...drafting)
      : { code: await following.ended, output: following.output() };
    const output = isRefused ? following.output() : worker.output();
    return await outcome({ team, models }, { code, output, says, again });
  } finally {
    await team?.close();
    await server.kill();
    execFileSync("umount", [disk]);
    rmSync(disk, { recursive: true, force: true });
    await server.start().catch(() => undefined);
  }
}

function fillUp(ballast) {
  try {
    execFileSync("dd", ["if=/dev/zero", `of=${ballast}`, "bs=8k"], { stdio: "ignore" });
  } catch {
    // It is full now.
  }
}

async function withPooler(mode, { team, models, server }, work) {
  const pooler = await poolerProgram();
  if (pooler === undefined) return { leftOut: "pgbouncer is not installed" };
  const folder = mkdtempSync(join(tmpdir(), "signoff-pooler-"));
  const port = await sparePort();
  const file = join(folder, "pgbouncer.ini");
  const settings = [
    "[databases]",
    `postgres = host=127.0.0.1 port=${server.port} user=postgres`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${port}`,
    "auth_type = any",
    `pool_mode = ${mode}`,
  ];
  writeFileSync(file, `${settings.join("\n")}\n`);
  execFileSync("chmod", ["-R", "a+rX", folder]);
  const words = getuid() === 0 ? ["-u", "postgres", file] : [file];
  const child = spawn(pooler, words, { stdio: "ignore" });
  try {
    const url = `postgresql://postgres@127.0.0.1:${port}/postgres`;
    await until(async () =>
      rowsOf(url, "SELECT 1").then(
        () => true,
        () => false,
      ),
    );
    return await work({ team, models, url });
  } finally {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
}

async function poolerProgram() {
  const path = "/usr/sbin/pgbouncer";
  const apt = aptCommand();
  if (!existsSync(path) && apt !== undefined) await installPackage(apt, "pgbouncer");
  return existsSync(path) ? path : undefined;
}

async function until(holds) {
  while (!(await holds())) await pause(50);
}
