import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Without extra certificates: reading them can take longer than our own start. */
function quietEnvironment(more = {}) {
  const { NODE_EXTRA_CA_CERTS: _certificates, NODE_OPTIONS: _options, ...rest } = process.env;
  return { ...rest, ...more };
}

export function pathOf(relative) {
  return fileURLToPath(new URL(relative, import.meta.url));
}

export const cli = pathOf("../../dist/bin/signoff.js");

/** Milliseconds from the start of a Node process to its end. */
export function timeNode(args, { cwd, env, endsBy = 0 } = {}) {
  const began = performance.now();
  const ended = runNode(args, { cwd, env });
  const took = performance.now() - began;
  if ((ended.signal ?? ended.status) !== endsBy) {
    throw new Error(
      `node ${args.join(" ")} ended by ${ended.signal ?? ended.status}: ${ended.stderr}`,
    );
  }
  return took;
}

export function runNode(args, { cwd, env } = {}) {
  return run(process.execPath, args, { cwd, env });
}

export function run(program, args, { cwd, env } = {}) {
  return spawnSync(program, args, { cwd, env: quietEnvironment(env), encoding: "utf8" });
}
