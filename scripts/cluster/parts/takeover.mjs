// How soon the runs of a worker go on elsewhere after it was killed, frozen or unplugged, and that a frozen or unplugged
// one writes nothing any more when it is back. Unplugged: the worker runs in a network namespace of its own, and its
// link is taken down (needs root and `ip`; left out without them).
import { execFileSync, spawn } from "node:child_process";
import { connect, createServer } from "node:net";
import { getuid } from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { program } from "../../../tests/support/cluster.ts";
import { look, submitDrafts, untilFinished } from "../../../tests/support/cluster-drill.ts";
import { round, unless, withTeam } from "../team-at-work.mjs";

export const options = { runs: "12", latency: "20", "kill-limit": "5", "silent-limit": "60" };

export async function run(given) {
  const rows = {};
  const problems = [];
  for (const way of [killed, frozen, ...(canUnplug() ? [unplugged] : [])]) {
    const { name, limit } = about(way, given);
    const { seconds, changed } = await withTeam({ latency: given.latency }, (team) =>
      drill(team, given, way),
    );
    rows[`${name}: until its last run went on elsewhere, s`] = round(seconds);
    problems.push(...unless(seconds <= limit, `${name}: ${round(seconds)} s`));
    if (changed === undefined) continue;
    rows[`${name}: rows it changed after it was back`] = changed;
    problems.push(...unless(changed === 0, `${name}: it wrote when it was back`));
  }
  if (!canUnplug()) rows.unplugged = "left out: needs root and ip";
  return { rows, problems };
}

function about(way, given) {
  const limit = way === killed ? given["kill-limit"] : given["silent-limit"];
  return { name: { killed: "killed", frozen: "frozen", unplugged: "unplugged" }[way.name], limit };
}

/** All runs are in flight when their worker goes away; each must be asked about again by the other. */
async function drill({ team, models, server }, given, way) {
  models.hold();
  const victim = await way({ team, models, server });
  try {
    await submitDrafts(team, given.runs);
    await until(async () => models.asked.length === given.runs);
    await team.startWorker("other", "--concurrency", String(2 * given.runs));
    // A worker looks after others only when it has been there for a while.
    await pause(10_000);
    const began = performance.now();
    await victim.away();
    await until(async () => models.asked.length >= 2 * given.runs);
    const seconds = (performance.now() - began) / 1000;
    models.release();
    await untilFinished(team, given.runs);
    if (victim.back === undefined) return { seconds };
    const before = await fingerprints(team);
    await victim.back();
    await pause(15_000);
    const after = await fingerprints(team);
    return { seconds, changed: [...after].filter((one) => !before.has(one)).length };
  } finally {
    await victim.close?.();
  }
}

async function killed({ team }) {
  const { child } = await team.startWorker("victim", "--concurrency", "100");
  return { away: async () => child.kill("SIGKILL") };
}

async function frozen({ team }) {
  const { child } = await team.startWorker("victim", "--concurrency", "100");
  return {
    away: async () => child.kill("SIGSTOP"),
    back: async () => child.kill("SIGCONT"),
  };
}

const [space, near, far] = ["signoff-cut", "signoff-near", "signoff-far"];
const [host, guest] = ["10.213.7.1", "10.213.7.2"];

/** Only root can make network namespaces. */
function canUnplug() {
  try {
    return getuid() === 0 && execFileSync("ip", ["netns", "list"]) !== undefined;
  } catch {
    return false;
  }
}

async function unplugged({ team, models, server }) {
  const ip = (...words) => execFileSync("ip", words);
  ip("netns", "add", space);
  const proxies = [];
  const close = async () => {
    for (const proxy of proxies) proxy.close();
    ip("netns", "del", space);
  };
  try {
    ip("link", "add", near, "type", "veth", "peer", "name", far, "netns", space);
    ip("addr", "add", `${host}/24`, "dev", near);
    ip("link", "set", near, "up");
    ip("-n", space, "addr", "add", `${guest}/24`, "dev", far);
    ip("-n", space, "link", "set", far, "up");
    ip("-n", space, "link", "set", "lo", "up");
    const through = async (address) => {
      const { proxy, port } = await forward(Number(new URL(address).port));
      proxies.push(proxy);
      const url = new URL(address);
      url.hostname = host;
      url.port = String(port);
      return url.href.replace(/\/$/u, "");
    };
    const env = {
      ...team.env,
      SIGNOFF_DATABASE_URL: await through(server.url),
      OLLAMA_BASE_URL: await through(models.url),
    };
    const words = [process.execPath, program, "worker", "--name", "victim", "--concurrency", "100"];
    const child = spawn("ip", ["netns", "exec", space, ...words], { cwd: team.folder, env });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (part) => {
        output += part;
      });
    }
    child.on("exit", () => process.stderr.write(output.includes("at once") ? "" : output));
    await until(async () => output.includes("at once"));
    return {
      away: async () => ip("link", "set", near, "down"),
      back: async () => ip("link", "set", near, "up"),
      close: async () => {
        child.kill("SIGKILL");
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Servers of ours listen on the loopback only. */
async function forward(to) {
  const proxy = createServer((socket) => {
    const onward = connect(to, "127.0.0.1");
    for (const one of [socket, onward]) one.on("error", () => undefined);
    socket.pipe(onward).pipe(socket);
  });
  await new Promise((resolve) => proxy.listen(0, host, resolve));
  return { proxy, port: proxy.address().port };
}

/** Every row of what runs record, as text: a row that changes, or is added, is another text. */
async function fingerprints(team) {
  const tables = ["runs", "calls", "attempts", "events", "decisions"];
  const found = await Promise.all(
    tables.map((table) => look(team, `SELECT '${table}' || t::text AS row FROM ${table} t`)),
  );
  return new Set(found.flat().map(({ row }) => row));
}

async function until(holds) {
  while (!(await holds())) await pause(20);
}
