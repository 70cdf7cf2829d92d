// Stryker's mutants, all of them in the code at once, each behind a switch.
// Stryker is installed beside the project's own packages on first use, so that `npm ci` stays small.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const version = "10.1.1";

export async function instrument(root, sources) {
  const tools = join(root, "node_modules/.cache/signoff-mutation");
  installStryker(tools);
  const { Instrumenter } = await import(
    pathToFileURL(join(tools, "node_modules/@stryker-mutator/instrumenter/dist/src/index.js")).href
  );
  const nothing = () => {};
  const logger = { debug: nothing, info: nothing, warn: nothing, isDebugEnabled: () => false };
  const files = [...sources].map(([path, content]) => ({ name: path, content, mutate: true }));
  const options = { plugins: null, excludedMutations: [], ignorers: [] };
  const found = await new Instrumenter(logger).instrument(files, options);
  return {
    code: Object.fromEntries(found.files.map(({ name, content }) => [join(root, name), content])),
    mutants: found.mutants.map((mutant) => describe(mutant, sources.get(mutant.fileName))),
  };
}

function describe({ id, fileName, location, mutatorName, replacement }, source) {
  const { start, end } = location;
  const lines = source.split("\n").slice(start.line, end.line + 1);
  lines.push(lines.pop().slice(0, end.column));
  lines[0] = lines[0].slice(start.column);
  const place = `${start.line}:${start.column}-${end.line}:${end.column}`;
  return {
    id,
    path: fileName,
    line: start.line + 1,
    mutator: mutatorName,
    original: lines.join("\n"),
    replacement,
    key: `${fileName}|${place}|${mutatorName}|${replacement}`,
  };
}

function installStryker(tools) {
  if (existsSync(join(tools, "node_modules/@stryker-mutator/instrumenter"))) return;
  mkdirSync(tools, { recursive: true });
  writeFileSync(join(tools, "package.json"), '{ "private": true }\n');
  const flags = ["--save-exact", "--ignore-scripts", "--no-audit", "--no-fund"];
  const { status } = spawnSync(
    "npm",
    ["install", ...flags, `@stryker-mutator/instrumenter@${version}`],
    { cwd: tools, stdio: "inherit" },
  );
  if (status !== 0) process.exit(5);
}
