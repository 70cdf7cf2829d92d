#!/usr/bin/env node
import * as nodeModule from "node:module";
import { version } from "../domain/values/version.ts";

// `--version` is asked by scripts all day long: nothing else is loaded for it.
const [first, ...rest] = process.argv.slice(2);
if (rest.length === 0 && (first === "--version" || first === "-V")) {
  // An output that cannot be written is reported as for every other command.
  process.stdout.once("error", () => void run());
  process.stdout.write(`${version}\n`);
} else {
  void run();
}

async function run(): Promise<void> {
  // What was compiled once is kept for the next start.
  const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: () => unknown };
  if (enableCompileCache === undefined)
    (await import("../wiring/project/compile-cache.ts")).keepCompiled();
  else enableCompileCache();
  const { runProgram } = await import("./program.ts");
  process.exitCode = await runProgram(process.argv.slice(2));
}
