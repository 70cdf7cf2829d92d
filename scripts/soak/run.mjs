// The studio under steady load: 50 requests a second and 100 open event streams.
// Usage: node scripts/soak/run.mjs [minutes]; fails when anything is not answered, a stream breaks or memory grows.
import { fork } from "node:child_process";
import { once } from "node:events";
import http from "node:http";
import { fileURLToPath } from "node:url";
import { prepareProject } from "../fuzz/prepared-project.mjs";

const minutes = Number(process.argv[2] ?? 30);
const requestsPerSecond = 50;
const streams = 100;
const mostWaiting = 100;
const secondsPerDraft = 2;
/** Enough to see a trend, few enough that collecting garbage is no part of the load. */
const measurements = Math.max(6, Math.min(30, Math.round(minutes)));

const { root, remove } = await prepareProject();
const server = fork(fileURLToPath(new URL("serve.mjs", import.meta.url)), [root], {
  execArgv: ["--expose-gc"],
});
const [{ url }] = await once(server, "message");
const [origin, token] = url.split("/#token=");
const { port } = new URL(origin);
const headers = { authorization: `Bearer ${token}`, host: `127.0.0.1:${port}` };
const agent = new http.Agent({ keepAlive: true, maxSockets: 50 });

const errors = [];
let answered = 0;
let events = 0;
let slowest = 0;

const ask = (path, { method = "GET", body, agent: own = agent } = {}) =>
  new Promise((resolve, reject) => {
    const more = body === undefined ? {} : { "content-type": "application/json" };
    const request = http.request(
      { host: "127.0.0.1", port, path, method, agent: own, headers: { ...headers, ...more } },
      resolve,
    );
    request.once("error", (error) => {
      // The server closed the idle connection as the request was sent; every client asks again.
      if (request.reusedSocket && error.code === "ECONNRESET")
        ask(path, { method, body, agent: own }).then(resolve, reject);
      else reject(error);
    });
    request.end(body);
  });

async function textOf(response) {
  let text = "";
  for await (const part of response) text += part;
  return text;
}

const { runs } = JSON.parse(await textOf(await ask("/api/v1/runs")));
const [{ run_id: run }] = runs;
const usual = ["runs", "drafts", "inbox", "packs", "stages", "settings", "costs", `runs/${run}`];
/** They read many files or start git, and pages ask for them rarely. */
const costly = ["episodes", "notes/status", "notes/matrix", "recipes", "health"];
const pathOf = (number) => {
  const from = number % 20 === 0 ? costly : usual;
  return `/api/v1/${from[Math.floor(number / 20 + number) % from.length]}`;
};

async function load(number) {
  const path = pathOf(number);
  const began = performance.now();
  try {
    const response = await ask(path);
    const text = await textOf(response);
    if (response.statusCode !== 200) errors.push(`${path}: ${response.statusCode}: ${text}`);
  } catch (error) {
    errors.push(`${path}: ${error}`);
  }
  answered += 1;
  slowest = Math.max(slowest, performance.now() - began);
}

/** Gives the streams something to carry. */
async function draft(number) {
  const body = JSON.stringify({ brief: `water bottles ${number}`, max_turns: 2 });
  try {
    const response = await ask("/api/v1/drafts", { method: "POST", body });
    const text = await textOf(response);
    if (response.statusCode !== 202) errors.push(`draft: ${response.statusCode}: ${text}`);
  } catch (error) {
    errors.push(`draft: ${error}`);
  }
}

let isOver = false;
async function follow() {
  const response = await ask("/api/v1/events", { agent: new http.Agent({ keepAlive: true }) });
  if (response.statusCode !== 200) errors.push(`stream: ${response.statusCode}`);
  response.on("data", () => {
    events += 1;
  });
  for (const end of ["end", "error", "close"])
    response.once(end, () => {
      if (!isOver) errors.push(`stream: ${end}`);
    });
  return response;
}

async function measure() {
  server.send("measure");
  const [{ rss, heapUsed, external, bugs }] = await once(server, "message");
  errors.push(...bugs);
  const inMegabytes = (bytes) => Math.round(bytes / 1e5) / 10;
  return { rss: inMegabytes(rss), heap: inMegabytes(heapUsed + external) };
}

const open = [];
for (let at = 0; at < streams; at += 1) open.push(await follow());
const began = performance.now();
let sent = 0;
let drafts = 0;
const seconds = () => (performance.now() - began) / 1000;
// What is late because the machine is busy is caught up with, so the rate is an average.
const timer = setInterval(() => {
  for (; sent < seconds() * requestsPerSecond && sent - answered < mostWaiting; sent += 1)
    void load(sent);
  for (; drafts < seconds() / secondsPerDraft; drafts += 1) void draft(drafts);
}, 20);

const table = [];
for (let at = 1; at <= measurements; at += 1) {
  await new Promise((resolve) => setTimeout(resolve, (minutes * 60_000) / measurements));
  const minute = Math.round((performance.now() - began) / 6_000) / 10;
  const row = { minute, ...(await measure()), answered, events, errors: errors.length };
  table.push({ ...row, "slowest ms": Math.round(slowest) });
  slowest = 0;
  console.log(JSON.stringify(table.at(-1)));
}
clearInterval(timer);
const rate = answered / seconds();
while (answered < sent) await new Promise((resolve) => setTimeout(resolve, 100));
isOver = true;
for (const response of open) response.destroy();
agent.destroy();
server.send("stop");
await once(server, "exit");
remove();

console.table(table);
const half = Math.ceil(table.length / 2);
const median = (rows) =>
  rows.map(({ heap }) => heap).sort((a, b) => a - b)[Math.floor(rows.length / 2)];
const [early, late] = [median(table.slice(1, half)), median(table.slice(half))];
// A tenth is the noise of one collection after another; anything above is kept.
const grows = late > early * 1.1 + 2;
for (const error of errors.slice(0, 10)) console.error(error.slice(0, 500));
console.log(
  `${rate.toFixed(1)} requests a second, ${streams} streams, ${minutes} minutes: ${errors.length} errors; heap ${early} MB in the first half, ${late} MB in the second`,
);
const isTooSlow = rate < requestsPerSecond * 0.95;
if (isTooSlow)
  console.error(`The server did not keep up with ${requestsPerSecond} requests a second.`);
process.exitCode = errors.length > 0 || grows || isTooSlow ? 1 : 0;
