// Changes the code in small ways and counts the changes that no unit test notices.
// Usage: node scripts/mutation/run.mjs [part] [count] [seed]; parts are listed below, a count of 0 takes every mutant.
// Stryker is installed beside the project's own packages on first use, so that `npm ci` stays small.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const tools = join(root, "node_modules/.cache/signoff-mutation");
const version = "10.1.1";

/** What is mutated, and the unit tests that have to notice. */
const parts = {
  domain: { mutate: ["src/domain/**/*.ts"], tests: ["src/domain/**/*.test.ts"] },
  protocol: { mutate: ["src/protocol/**/*.ts"], tests: ["src/protocol/**/*.test.ts"] },
  journal: {
    // Released migrations never change.
    mutate: [
      "src/adapters/persistence/{sqlite,statements}/**/*.ts",
      "!src/adapters/persistence/statements/migrations/**",
    ],
    tests: ["src/adapters/{persistence,engines}/**/*.test.ts"],
  },
  engine: {
    // The tests of the queue need a PostgreSQL server and do not run here.
    mutate: ["src/adapters/engines/**/*.ts", "!src/adapters/engines/queue/**"],
    tests: ["src/adapters/engines/**/*.test.ts"],
  },
};

const [name = "domain", count = "500", seed = "20261117"] = process.argv.slice(2);
const part = parts[name];
if (part === undefined) {
  console.error(`There is no part ${name}. Name one of: ${Object.keys(parts).join(", ")}.`);
  process.exit(2);
}

installStryker();
const { Stryker } = await import(
  pathToFileURL(join(tools, "node_modules/@stryker-mutator/core/dist/src/index.js")).href
);
const report = join(root, `dist/mutation-${name}.json`);
process.env.MUTATION_TESTS = part.tests.join(" ");
await new Stryker({
  plugins: [
    pathToFileURL(join(tools, "node_modules/@stryker-mutator/vitest-runner/dist/src/index.js"))
      .href,
    new URL("sample-checker.mjs", import.meta.url).href,
  ],
  testRunner: "vitest",
  vitest: { configFile: "scripts/mutation/vitest.config.ts", related: false },
  mutate: [...part.mutate, "!src/**/*.test.ts", "!src/**/testing/**"],
  checkers: ["sample"],
  sample: { count: Number(count), seed: Number(seed) },
  coverageAnalysis: "perTest",
  ignoreStatic: true,
  concurrency: 1,
  tempDirName: `.stryker-tmp/${name}`,
  ignorePatterns: ["dist", "docs/studio", ".signoff", "biome.json"],
  reporters: ["json", "progress-append-only"],
  jsonReporter: { fileName: report },
  allowConsoleColors: false,
  disableTypeChecks: false,
  dryRunTimeoutMinutes: 30,
  warnings: { unknownOptions: false },
  logLevel: "warn",
}).runMutationTest();
printScore(JSON.parse(readFileSync(report, "utf8")));

function installStryker() {
  if (existsSync(join(tools, "node_modules/@stryker-mutator/core"))) return;
  mkdirSync(tools, { recursive: true });
  writeFileSync(join(tools, "package.json"), '{ "private": true }\n');
  const packages = ["core", "vitest-runner"].map((one) => `@stryker-mutator/${one}@${version}`);
  // Without peer dependencies: Stryker has to find the project's own vitest, not another copy.
  const flags = ["--legacy-peer-deps", "--ignore-scripts", "--no-audit", "--no-fund"];
  const { status } = spawnSync("npm", ["install", "--save-exact", ...flags, ...packages], {
    cwd: tools,
    stdio: "inherit",
  });
  if (status !== 0) process.exit(5);
}

function printScore({ files }) {
  const counts = {};
  for (const [path, { source, mutants }] of Object.entries(files))
    for (const mutant of mutants) {
      if (mutant.status === "CompileError") continue;
      counts[mutant.status] = (counts[mutant.status] ?? 0) + 1;
      if (mutant.status !== "Survived" && mutant.status !== "NoCoverage") continue;
      const { line } = mutant.location.start;
      const original = source.split("\n")[line - 1]?.trim();
      const change = mutant.replacement?.replace(/\s+/gu, " ").slice(0, 80);
      console.log(
        `${mutant.status} ${path}:${line} ${mutant.mutatorName}: ${original}  =>  ${change}`,
      );
    }
  const { Killed = 0, Timeout = 0, Survived = 0, NoCoverage = 0 } = counts;
  const valid = Killed + Timeout + Survived + NoCoverage;
  console.table({
    [name]: { mutants: valid, ...counts, score: ((Killed + Timeout) / valid) * 100 },
  });
}
