import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../../dist/bin/signoff.js", import.meta.url));
const path = `${dirname(process.execPath)}:/usr/bin:/bin`;

/** A process that takes longer than this hangs. On a busy machine a process that does not may take a minute. */
const mostMillis = 600_000;

/** The bundled command line as its own process. */
export function runProgram(args, { cwd, env = {} }) {
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env: { PATH: path, HOME: join(cwd, "home"), SIGNOFF_USER: "ada", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let err = "";
  child.stdout.on("data", (part) => {
    out += part;
  });
  child.stderr.on("data", (part) => {
    err += part;
  });
  let hung = false;
  const watch = setTimeout(() => {
    hung = true;
    child.kill("SIGKILL");
  }, mostMillis);
  const ended = new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      clearTimeout(watch);
      resolve({ code, signal, out, err, hung });
    });
  });
  return { child, ended };
}
