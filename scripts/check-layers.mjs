// dependency-cruiser exits 0 when it finds no modules at all, so a minimum is part of the check.
import { spawnSync } from "node:child_process";

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
for (const { from, to, rule } of summary.violations) {
  process.stderr.write(`${rule.severity} ${rule.name}: ${from} -> ${to}\n`);
}
if (summary.totalCruised < minimumModules) {
  process.stderr.write(
    `only ${summary.totalCruised} modules seen, expected at least ${minimumModules}\n`,
  );
  process.exit(1);
}
process.stdout.write(`${summary.totalCruised} modules, ${summary.violations.length} violations\n`);
process.exit(summary.violations.length > 0 ? 1 : 0);
