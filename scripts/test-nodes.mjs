// npm run test:nodes [version …]: packs the package, installs the tarball into an empty folder under each supported
// Node and uses it there as people would. Prints one line per check; exits with 1 if one fails.
import { spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const versions = ["22.23.3", "24.21.0", "26.10.0"];
const moduleTypes = { esm: "module", cjs: "commonjs" };
const limits = { packages: 5, megabytes: 45 };
const checkout = fileURLToPath(new URL("..", import.meta.url));
const consumers = join(checkout, "scripts", "test-nodes");

const asked = process.argv.slice(2);
const work = mkdtempSync(join(tmpdir(), "signoff-nodes-"));
let failures = 0;
try {
  const tarball = pack();
  for (const version of asked.length > 0 ? asked : versions) await testUnder(version, tarball);
} finally {
  rmSync(work, { recursive: true, force: true });
}
process.exitCode = failures === 0 ? 0 : 1;

async function testUnder(version, tarball) {
  const node = fetchNode(version);
  const home = join(work, version);
  mkdirSync(home);
  writeFileSync(join(home, "package.json"), '{ "private": true }\n');
  const at = placeFor(node, home);
  await check(version, "install", () => install(at, tarball));
  const examples = join(home, "node_modules", "signoff", "examples");
  await check(version, "demo", () => void expectExit(at.signoff(["demo"]), 0));
  await check(version, "draft, killed and resumed", () => killAndResume(at, examples));
  await check(version, "notes review", () => reviewNotes(at, examples));
  await check(version, "pack", () => runPack(at, examples));
  await check(version, "import and require", () => load(at));
  for (const kind of Object.keys(moduleTypes))
    await check(version, `tsc, ${kind}`, () => compile(at, kind));
  await check(version, "300 drafts with forced collection", () => collect(at));
}

async function check(version, name, run) {
  const began = performance.now();
  try {
    const detail = await run();
    const took = `${((performance.now() - began) / 1000).toFixed(1)} s`;
    console.log(`ok    Node ${version}  ${name}  ${detail ?? took}`);
  } catch (error) {
    failures += 1;
    console.log(`FAIL  Node ${version}  ${name}: ${error.message}`);
  }
}

/** `prepack` builds first, so the tarball holds the present sources. */
function pack() {
  expectExit(run("npm", ["pack", "--pack-destination", work], { cwd: checkout }), 0);
  return join(
    work,
    readdirSync(work).find((name) => name.endsWith(".tgz")),
  );
}

/** The Node of that version, from the registry; kept for the next time. */
function fetchNode(version) {
  const name = `node-${process.platform}-${process.arch}`;
  const cache = join(checkout, "node_modules", ".cache", "nodes", version);
  const node = join(cache, "node_modules", name, "bin", "node");
  if (!existsSync(node)) {
    mkdirSync(cache, { recursive: true });
    writeFileSync(join(cache, "package.json"), '{ "private": true }\n');
    expectExit(run("npm", ["install", "--no-save", `${name}@${version}`], { cwd: cache }), 0);
  }
  return node;
}

/** How programs are started below `home`: with that Node first on the PATH. */
function placeFor(node, home) {
  const path = [dirname(node), process.env.PATH].join(delimiter);
  const env = { ...process.env, PATH: path, NODE_OPTIONS: "", FORCE_COLOR: "0" };
  const program = join(home, "node_modules", "signoff", "dist", "bin", "signoff.js");
  const start = (command, args, { cwd = home, ...more } = {}) =>
    run(command, args, { cwd, env: { ...env, ...more.env } });
  return {
    home,
    run: start,
    node: (args, options) => start(node, args, options),
    signoff: (args, options) => start(node, [program, ...args], options),
    serve: (args) => spawn(node, [program, ...args], { cwd: home, env }),
  };
}

function install(at, tarball) {
  const began = performance.now();
  const ended = at.run("npm", ["install", "--no-audit", "--no-fund", tarball]);
  const seconds = (performance.now() - began) / 1000;
  expectExit(ended, 0);
  if (/install.scripts/.test(ended.stderr)) throw new Error(ended.stderr);
  const { packages } = JSON.parse(readFileSync(join(at.home, "package-lock.json"), "utf8"));
  const count = Object.keys(packages).length - 1;
  const megabytes = sizeOf(join(at.home, "node_modules")) / 1_000_000;
  const measured = { packages: count, megabytes };
  for (const [what, most] of Object.entries(limits)) {
    if (measured[what] > most) throw new Error(`${measured[what]} ${what}, at most ${most}`);
  }
  return `${count} packages, ${megabytes.toFixed(0)} MB, ${seconds.toFixed(1)} s`;
}

function sizeOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + readFileSync(join(parentPath, name)).length, 0);
}

function killAndResume(at, examples) {
  const cwd = join(at.home, "slogan");
  cpSync(join(examples, "slogan"), cwd, { recursive: true });
  const draft = ["draft", "eco-friendly water bottles", "--script", "approved.json", "--json"];
  const killed = at.signoff(draft, { cwd, env: { SIGNOFF_STOP_AT: "reply-recorded:2" } });
  if (killed.signal !== "SIGKILL") throw new Error(`the draft was not killed: ${killed.stderr}`);
  expectExit(at.signoff(draft, { cwd }), 0);
  const { runs } = JSON.parse(expectExit(at.signoff(["runs", "list", "--json"], { cwd }), 0));
  if (runs.length !== 1) throw new Error(`${runs.length} runs instead of one`);
}

function reviewNotes(at, examples) {
  const cwd = join(at.home, "bakery");
  expectExit(at.run("bash", [join(examples, "notes-with-gates", "make-repository.sh"), cwd]), 0);
  // Its notes have faults, so a finished review is not an accepted one.
  expectExit(at.signoff(["notes", "review", "--quiet"], { cwd }), 1);
  const { stale } = JSON.parse(expectExit(at.signoff(["notes", "status", "--json"], { cwd }), 0));
  if (stale.length > 0) throw new Error(`${stale.length} pairs are stale after the review`);
}

async function runPack(at, examples) {
  const cwd = join(at.home, "shop");
  cpSync(join(examples, "scenario-pack"), join(cwd, "pack"), { recursive: true });
  const assistant = at.serve(["demo", "assistant", "--port", "0"]);
  try {
    const url = await addressOf(assistant);
    const pack = ["pack", "run", "--manifest", "pack/pack.yaml", "--assistant-url", url];
    expectExit(at.signoff([...pack, "--quiet"], { cwd }), 0);
  } finally {
    assistant.kill();
  }
}

async function addressOf(assistant) {
  for await (const line of createInterface({ input: assistant.stdout })) {
    const found = /http:\/\/[\w.:]+\w/.exec(line);
    if (found !== null) return found[0];
  }
  throw new Error("the demo assistant did not start");
}

function load(at) {
  const imported = `import { version } from "signoff"; import { parseScript } from "signoff/testing"; console.log(version, typeof parseScript);`;
  const required = `const { version } = require("signoff"); const { parseScript } = require("signoff/testing"); console.log(version, typeof parseScript);`;
  const outputs = [
    expectExit(at.node(["--input-type=module", "-e", imported]), 0),
    expectExit(at.node(["--input-type=commonjs", "-e", required]), 0),
  ];
  const expected = `${JSON.parse(readFileSync(join(checkout, "package.json"), "utf8")).version} function\n`;
  if (outputs.some((output) => output !== expected)) throw new Error(outputs.join(""));
}

/** A strict consumer that checks our declarations too and has no types of Node. */
function compile(at, kind) {
  const folder = join(at.home, kind);
  cpSync(join(consumers, "consumer.ts"), join(folder, "consumer.ts"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: moduleTypes[kind] }));
  const compilerOptions = {
    module: "node16",
    target: "es2023",
    lib: ["es2023", "dom"],
    strict: true,
    exactOptionalPropertyTypes: true,
    types: [],
    outDir: "out",
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  const tsc = join(checkout, "node_modules", "typescript", "lib", "tsc.js");
  expectExit(at.node([tsc, "--project", folder]), 0);
  expectExit(at.node([join(folder, "out", "consumer.js")]), 0);
}

/** Statements that are collected while the process goes on once crashed it. */
function collect(at) {
  cpSync(join(consumers, "many-drafts.mjs"), join(at.home, "many-drafts.mjs"));
  expectExit(at.node(["--expose-gc", "many-drafts.mjs", "300"]), 0);
}

function run(command, args, { cwd, env = process.env }) {
  return spawnSync(command, args, { cwd, env, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
}

/** What a program printed that ended with this code and wrote no warning of Node. */
function expectExit({ status, signal, stdout, stderr, error }, code) {
  if (error !== undefined) throw error;
  if (status !== code) throw new Error(`ended with ${signal ?? status}: ${stderr || stdout}`);
  if (/Warning:/.test(stderr)) throw new Error(stderr);
  return stdout;
}
