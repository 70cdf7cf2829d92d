import { spawn } from "node:child_process";
import { ConfigurationError } from "../../../domain/values/workflow-error.ts";
import type { CoderRun, RunCoder } from "../../../ports/coder.ts";

const mostKept = 4 * 1024 * 1024;

/** Starts the coder in the project's folder as a process group of its own, so that none of it outlives its time. */
export function createCoderRunner(cwd: string): RunCoder {
  return ({ argv, prompt, timeoutMs }, signal) =>
    new Promise<CoderRun>((resolve, reject) => {
      signal.throwIfAborted();
      const [program = "", ...args] = argv;
      const child = spawn(program, args, { cwd, detached: true, stdio: ["pipe", "pipe", "pipe"] });
      const stdout = collect(child.stdout);
      const stderr = collect(child.stderr);
      let timedOut = false;
      const kill = (): void => {
        if (child.pid !== undefined) killGroup(child.pid);
      };
      const timer = setTimeout(() => {
        timedOut = true;
        kill();
      }, timeoutMs);
      signal.addEventListener("abort", kill, { once: true });
      const settle = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", kill);
      };
      child.once("error", (cause) => {
        settle();
        reject(
          new ConfigurationError(`The coder ${program} cannot be started.`, {
            code: "coder-not-started",
            facts: { program },
            cause,
          }),
        );
      });
      child.once("close", (code) => {
        settle();
        if (signal.aborted) reject(signal.reason as Error);
        else {
          const ended = code === null ? {} : { exitCode: code };
          resolve({ stdout: stdout(), stderr: stderr(), timedOut, ...ended });
        }
      });
      // A coder that does not read its prompt closes the pipe; that is its own business.
      child.stdin.on("error", () => undefined);
      child.stdin.end(prompt);
    });
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on("data", (chunk: Buffer) => {
    if (size < mostKept) chunks.push(chunk);
    size += chunk.length;
  });
  return () => Buffer.concat(chunks).toString("utf8");
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Already gone.
  }
}
