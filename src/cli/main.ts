#!/usr/bin/env node
import { nodeVersionProblem } from "../domain/values/node-version.ts";
import { version } from "../domain/values/version.ts";

const problem = nodeVersionProblem(process.versions.node);
const args = process.argv.slice(2);
if (problem !== undefined) {
  process.stderr.write(`Error: ${problem}\n`);
  process.exitCode = 2;
} else if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) {
  // Scripts ask for the version often, so nothing else is loaded for it.
  process.stdout.once("error", () => void run());
  process.stdout.write(`${version}\n`);
} else {
  void run();
}

async function run(): Promise<void> {
  const { enableCompileCache } = await import("node:module");
  enableCompileCache();
  const { runProgram } = await import("./program.ts");
  process.exitCode = await runProgram(args);
}
