// Sweeps many pairs with scripted reviews: time and memory per pair. Needs a build.
// Usage: node scripts/bench/notes-sweep.mjs [notes] [gates]
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { makeRepository } from "./notes-generator.mjs";

const [notes, gates] = [Number(process.argv[2] ?? 400), Number(process.argv[3] ?? 50)];
const root = join(mkdtempSync(join(tmpdir(), "signoff-bench-")), "repository");
try {
  const paths = [...makeRepository(root, { notes, gates }).keys()];
  const ids = paths
    .filter((path) => path.startsWith("signoff/gates/"))
    .map((path) => path.slice("signoff/gates/".length, -3));
  const said = Object.fromEntries(ids.map((id) => [id, "pass"]));
  const reviews = Object.fromEntries(
    paths.filter((path) => path.startsWith("notes/")).map((path) => [path, said]),
  );
  writeFileSync(join(root, "reviews.json"), JSON.stringify({ reviews }));
  const cli = resolve("dist/bin/signoff.js");
  const args = [cli, "notes", "review", "--script", "reviews.json", "--yes", "--json"];
  const before = performance.now();
  const ran = spawnSync("/usr/bin/env", ["time", "-f", "%M", process.execPath, ...args], {
    cwd: root,
    maxBuffer: 1 << 28,
  });
  const seconds = (performance.now() - before) / 1000;
  const megabytes = Number(ran.stderr.toString().trim().split("\n").at(-1)) / 1024;
  const { after, actual } = JSON.parse(ran.stdout.toString());
  console.log(
    `${notes * gates} pairs in ${actual.completed} calls: ${seconds.toFixed(1)} s, ${((seconds * 1000) / (notes * gates)).toFixed(2)} ms a pair, ${megabytes.toFixed(0)} MB`,
  );
  if (after.stale !== 0) process.exitCode = 1;
} finally {
  rmSync(join(root, ".."), { recursive: true, force: true });
}
