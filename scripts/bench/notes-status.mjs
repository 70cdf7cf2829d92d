// `notes status` on 10,000 notes × 50 gates, first run and warm, beside its bounds. Needs a build.
// Usage: node scripts/bench/notes-status.mjs [notes] [gates]
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { acceptEverything, makeRepository } from "./notes-generator.mjs";

const [notes, gates] = [Number(process.argv[2] ?? 10_000), Number(process.argv[3] ?? 50)];
const cli = resolve("dist/bin/signoff.js");
const root = join(mkdtempSync(join(tmpdir(), "signoff-bench-")), "repository");
const env = { ...process.env, NODE_EXTRA_CA_CERTS: "" };

function timed(command, args) {
  const before = performance.now();
  const ran = spawnSync("/usr/bin/env", ["time", "-f", "%M", command, ...args], { cwd: root, env });
  const millis = performance.now() - before;
  const megabytes = Number(ran.stderr.toString().trim().split("\n").at(-1)) / 1024;
  return { millis, megabytes, code: ran.status };
}

function median(count, work) {
  const runs = Array.from({ length: count }, work).sort((a, b) => a.millis - b.millis);
  return runs[Math.floor(count / 2)];
}

try {
  const blobs = makeRepository(root, { notes, gates });
  const pairs = acceptEverything(root, blobs, "offline/rules");
  timed("git", ["status", "--porcelain"]);
  const node = median(5, () => timed(process.execPath, ["-e", "0"]));
  const gitStatus = median(5, () => timed("git", ["status", "--porcelain"]));
  const runs = median(5, () => timed(process.execPath, [cli, "runs", "list", "--json"]));
  const first = median(3, () => {
    rmSync(join(root, ".signoff", "cache"), { recursive: true, force: true });
    return timed(process.execPath, [cli, "notes", "status", "--json"]);
  });
  const warm = median(7, () => timed(process.execPath, [cli, "notes", "status", "--json"]));
  const row = (name, { millis, megabytes, code }) =>
    console.log(
      `${name.padEnd(34)} ${millis.toFixed(0).padStart(6)} ms  ${(megabytes || 0).toFixed(0).padStart(4)} MB  exit ${code}`,
    );
  console.log(`${notes} notes × ${gates} gates = ${pairs} pairs`);
  row("node -e 0", node);
  row("git status", gitStatus);
  row("signoff runs list --json", runs);
  row("signoff notes status, first run", first);
  row("signoff notes status, warm", warm);
  const ratio = warm.millis / (runs.millis + gitStatus.millis);
  console.log(`warm / (runs list + git status) = ${ratio.toFixed(2)} (target 1.5)`);
  if (ratio > 2 || warm.code !== 0 || first.megabytes > 200) process.exitCode = 1;
} finally {
  rmSync(join(root, ".."), { recursive: true, force: true });
}
