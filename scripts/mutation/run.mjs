// Changes the code in small ways and counts the changes that no unit test notices.
// Usage: node scripts/mutation/run.mjs [part] [count] [seed] [options]; parts are in parts.mjs, 0 takes every mutant.
//   --again          what the last run killed counts as killed, unless its file has changed since
//   --only=path      tries the mutants of files whose path contains this
//   --tests=globs    tries these tests only
//   --slowest=ms     tries tests that need up to this much processor time (250)
//   --minutes=m      stops after this time and keeps what is known
// Stryker makes the mutants. Starting vitest for each of them takes a second and more, so one vitest holds them all and
// switches them on one after the other (mutant-runner.ts).
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { memoryFolder } from "../../tests/support/memory-folder.ts";
import { instrument } from "./instrument.mjs";
import { parts } from "./parts.mjs";

/** Seconds. Tests have 3, which a loop that never waits does not notice. */
const longestSilence = 12;
/** They need a PostgreSQL server and do not run here. */
const noCluster = ["**/*.cluster.test.ts"];
const root = fileURLToPath(new URL("../..", import.meta.url));
const option = (flag) =>
  process.argv.find((argument) => argument.startsWith(`--${flag}=`))?.split("=")[1];
const only = option("only") ?? "";
const again = process.argv.includes("--again");
const [name = "domain", count = "500", seed = "20261117"] = process.argv
  .slice(2)
  .filter((argument) => !argument.startsWith("--"));
const part = parts[name];
if (part === undefined) {
  console.error(`There is no part ${name}. Name one of: ${Object.keys(parts).join(", ")}.`);
  process.exit(2);
}
const folder = join(root, "dist/mutation", name);
const file = (one) => join(folder, one);
mkdirSync(folder, { recursive: true });
const temporary = memoryFolder() ?? join(tmpdir(), `signoff-mutation-${process.pid}`);
mkdirSync(temporary, { recursive: true });
process.once("exit", () => rmSync(temporary, { recursive: true, force: true }));
const deadline = Date.now() + Number(option("minutes") ?? 24 * 60) * 60_000;
let running;
for (const signal of ["SIGINT", "SIGTERM"])
  process.once(signal, () => {
    if (running !== undefined) process.kill(-running.pid, "SIGKILL");
    process.exit(1);
  });

const paths = globSync(part.mutate, { cwd: root, exclude: part.except }).sort();
const sources = new Map(paths.map((path) => [path, readFileSync(join(root, path), "utf8")]));
const { code, mutants } = await instrument(root, sources);
const chosen = takeSample(mutants.filter((one) => !isProse(one)));
const earlier = again && existsSync(file("report.json")) ? readEarlier() : new Map();
const results = new Map(
  chosen.flatMap((one) => (earlier.has(one.key) ? [[one.id, earlier.get(one.key)]] : [])),
);
console.log(`${mutants.length} mutants, ${chosen.length} in the sample, ${results.size} known`);
await runAll();
report();

/** Words for people and models: what they say is read, not computed, and a test that repeats them proves nothing. */
function isProse({ mutator, original }) {
  return mutator === "StringLiteral" && !original.includes("${") && /\S\s+\S+\s+\S/u.test(original);
}

function takeSample(all) {
  const order = (one) => createHash("sha256").update(`${seed}|${one.key}`).digest("hex");
  const sorted = all
    .map((one) => [order(one), one])
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return sorted.slice(0, Number(count) || all.length).map(([, one]) => one);
}

/** What the last run killed in files that are still the same. Tests are only ever added between two runs. */
function readEarlier() {
  const { digests, mutants: known } = JSON.parse(readFileSync(file("report.json"), "utf8"));
  const isOpen = ({ path, status }) =>
    path.includes(only) && (status === "Survived" || status === "NoCoverage");
  const kept = known.filter((one) => digests[one.path] === digestOf(one.path) && !isOpen(one));
  return new Map(kept.map(({ key, status }) => [key, status]));
}

function digestOf(path) {
  return createHash("sha256")
    .update(sources.get(path) ?? "")
    .digest("hex");
}

/**
 * A mutant that never ends is killed together with vitest, counts as noticed, and the next vitest goes on at the next
 * mutant of the same test.
 */
async function runAll() {
  const seen = { reached: new Set(), loaded: new Set() };
  const slowest = Number(option("slowest") ?? 250);
  let plan = { code, folder, files: testFiles(), done: [], slowest };
  while (plan !== undefined && openMutants().length > 0 && Date.now() < deadline)
    plan = await runOnce(plan, seen);
  if (plan !== undefined && Date.now() > deadline) return;
  const statusOf = (id) =>
    seen.reached.has(id) ? "Survived" : seen.loaded.has(id) ? "Static" : "NoCoverage";
  for (const id of openMutants()) results.set(id, statusOf(id));
}

/** What is left to do; undefined when all tests are done. */
async function runOnce(plan, seen) {
  writeFileSync(file("plan.json"), JSON.stringify({ ...plan, open: openMutants() }));
  for (const one of ["log.jsonl", "current"]) writeFileSync(file(one), "");
  const isWhole = await runVitest();
  const log = readLog();
  for (const line of log) take(line, seen);
  save();
  console.log(`${new Date().toISOString().slice(11, 19)} ${openMutants().length} open`);
  const files = plan.files.filter((one) => !log.some(({ ended }) => ended?.includes(one)));
  if (isWhole && files.length > 0) throw new Error(`not run: ${files.join(", ")}`);
  if (isWhole) return undefined;
  const done = [...plan.done, ...log.flatMap((line) => line.done ?? [])];
  if (Date.now() > deadline) return plan;
  const rest = { ...plan, files, done };
  const resume = log.at(-1)?.resume;
  return resume === undefined ? afterDeath(rest, current()) : { ...rest, resume };
}

/** Where to go on when vitest was killed at a mutant that did not end. */
function afterDeath(plan, { mutant, test }) {
  if (test === undefined) throw new Error("vitest was killed before it ran a test");
  if (mutant === "none") {
    console.log(`left out: test ${test} (did not end without a mutant)`);
    return { ...plan, done: [...plan.done, test] };
  }
  const { path, line } = chosen.find(({ id }) => id === mutant);
  console.log(`did not end: ${path}:${line}`);
  results.set(mutant, "Timeout");
  return { ...plan, resume: { mutant, test } };
}

function openMutants() {
  return chosen
    .filter(({ id, path }) => !results.has(id) && path.includes(only))
    .map(({ id }) => id);
}

/** Tests of the mutated folder first, small files before large ones: they are quick and notice most. */
function testFiles() {
  const patterns = option("tests")?.split(" ") ?? part.tests;
  const own = patterns[0].split("/**")[0];
  const weight = (path) => statSync(join(root, path)).size + (path.startsWith(own) ? 0 : 1e9);
  return [...new Set(globSync(patterns, { cwd: root, exclude: noCluster }))]
    .sort((one, other) => weight(one) - weight(other))
    .map((path) => join(root, path));
}

function readLog() {
  const lines = readFileSync(file("log.jsonl"), "utf8").split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line));
}

function take({ killed, timeout, unfit, why, reached = [], onLoad = [] }, seen) {
  if (killed !== undefined) results.set(killed, "Killed");
  if (timeout !== undefined) results.set(timeout, "Timeout");
  if (unfit !== undefined) console.log(`left out: ${unfit} (${why})`);
  for (const id of reached) seen.reached.add(id);
  for (const id of onLoad) seen.loaded.add(id);
}

/** Whether it came to its end. */
function runVitest() {
  for (const one of readdirSync(temporary))
    rmSync(join(temporary, one), { recursive: true, force: true });
  const child = spawn(
    process.execPath,
    ["node_modules/vitest/vitest.mjs", "run", "--config", "scripts/mutation/vitest.config.ts"],
    {
      cwd: root,
      detached: true,
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, TMPDIR: temporary, MUTATION_PLAN: file("plan.json") },
    },
  );
  running = child;
  let output = "";
  child.stdout.on("data", (data) => {
    output += data;
  });
  return new Promise((resolve) => {
    let [seen, seconds] = ["", 0];
    const watch = setInterval(() => {
      const last = `${statSync(file("current")).mtimeMs}`;
      // Counted, because the clock of a virtual machine may jump.
      seconds = last === seen ? seconds + 1 : 0;
      seen = last;
      const { mutant = "none" } = current();
      const most = mutant === "none" ? 25 * longestSilence : longestSilence;
      if (seconds > most || Date.now() > deadline) process.kill(-child.pid, "SIGKILL");
    }, 1000);
    child.on("exit", (status, signal) => {
      clearInterval(watch);
      if (signal === null && status !== 0) console.log(output.slice(-3000));
      resolve(signal === null);
    });
  });
}

/** What the runner does now; without a mutant, the test runs as it is. */
function current() {
  const [mutant, test] = readFileSync(file("current"), "utf8").trim().split(" ");
  return { mutant, test };
}

function save() {
  const known = chosen
    .filter(({ id }) => results.has(id))
    .map((one) => ({ ...one, status: results.get(one.id) }));
  const digests = Object.fromEntries(paths.map((path) => [path, digestOf(path)]));
  writeFileSync(file("report.json"), JSON.stringify({ digests, mutants: known }));
  return known;
}

function report() {
  const counts = {};
  for (const { path, line, mutator, original, replacement, status } of save()) {
    counts[status] = (counts[status] ?? 0) + 1;
    if (status !== "Survived" && status !== "NoCoverage") continue;
    const [from, to] = [original, replacement].map((text) => text.replace(/\s+/gu, " "));
    console.log(`${status} ${relative("src", path)}:${line} ${mutator}: ${from}  =>  ${to}`);
  }
  const { Killed = 0, Timeout = 0, Survived = 0, NoCoverage = 0 } = counts;
  const valid = Killed + Timeout + Survived + NoCoverage;
  const score = Math.round(((Killed + Timeout) / valid) * 1000) / 10;
  console.table({ [name]: { mutants: valid, ...counts, score } });
}
