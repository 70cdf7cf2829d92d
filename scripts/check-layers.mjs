// Who may import whom, and one exported name for one thing.
import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";

// dependency-cruiser exits 0 when it finds no modules at all, so a minimum is part of the check.
const minimumModules = 60;
const run = spawnSync(
  "node_modules/.bin/depcruise",
  ["src", "--config", ".dependency-cruiser.mjs", "--output-type", "json"],
  { encoding: "utf8", maxBuffer: 1 << 28 },
);
if (run.status === null || !run.stdout.startsWith("{")) {
  process.stderr.write(`${run.stderr}${run.stdout}\n`);
  process.exit(2);
}
const { summary } = JSON.parse(run.stdout);
const violations = [
  ...summary.violations.map(({ from, to, rule }) => `${rule.name}: ${from} -> ${to}`),
  ...namesOfSeveralThings(),
];
if (summary.totalCruised < minimumModules) {
  violations.push(`only ${summary.totalCruised} modules seen, expected at least ${minimumModules}`);
}
for (const violation of violations) process.stderr.write(`${violation}\n`);
process.stdout.write(`${summary.totalCruised} modules, ${violations.length} violations\n`);
process.exitCode = violations.length > 0 ? 1 : 0;

/** Two implementations of one file, such as the two databases', may export the same name; so may the library's face. */
function namesOfSeveralThings() {
  const files = new Map();
  for (const file of globSync("src/**/*.ts", { exclude: ["src/index.ts", "**/*.test.ts"] })) {
    const declared =
      /^export (?:async )?(?:function\*?|const|class|interface|type|let) (?<name>\w+)/gmu;
    for (const { groups } of readFileSync(file, "utf8").matchAll(declared)) {
      files.set(groups.name, (files.get(groups.name) ?? new Set()).add(file));
    }
  }
  return [...files]
    .filter(([, where]) => new Set([...where].map((file) => basename(file))).size > 1)
    .map(([name, where]) => `exported by several files: ${name} (${[...where].join(", ")})`);
}
