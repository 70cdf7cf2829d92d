import { spawnSync } from "node:child_process";
import { existsSync, globSync, statSync } from "node:fs";

const sources = ["{src,studio,tests,scripts}/**", "*.json"];
/** Every build writes each of these anew. */
const outputs = ["dist/bin/signoff.js", "dist/lib/index.js", "dist/studio/index.html"];

/** Builds, unless everything was built after the last change. Folders count too: theirs tells that a file is gone. */
export function buildIfChanged() {
  const isBuilt = outputs.every((path) => existsSync(path));
  const changed = Math.max(...globSync(sources).map(timeOf));
  if (isBuilt && outputs.every((path) => timeOf(path) > changed)) return;
  const { status } = spawnSync("npm", ["run", "build"], { stdio: "inherit" });
  if (status !== 0) throw new Error("The tests were not started, because the build failed.");
}

function timeOf(path) {
  return statSync(path).mtimeMs;
}
