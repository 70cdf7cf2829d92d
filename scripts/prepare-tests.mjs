// Before the tests: an up-to-date build, git and a browser. Whatever is missing is fetched.
import { spawnSync } from "node:child_process";
import { buildIfChanged } from "./build-if-changed.mjs";
import { aptCommand, installPackage, provideBrowser } from "./test-browser.ts";

try {
  buildIfChanged();
  await provideGit();
  await provideBrowser();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

async function provideGit() {
  if (spawnSync("git", ["--version"]).status === 0) return;
  const apt = aptCommand();
  if (apt !== undefined && (await installPackage(apt, "git"))) return;
  throw new Error("The tests need git: install it and start again.");
}
