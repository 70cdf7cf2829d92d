import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../../dist/bin/signoff.js", import.meta.url));

export interface WorkerProcess {
  readonly child: ChildProcess;
  /** Everything it has printed so far. */
  readonly output: () => string;
  /** Resolves with the exit code, or with the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
}

export interface Team {
  readonly folder: string;
  readonly env: { readonly [name: string]: string };
  /** Resolves when the worker takes runs. */
  startWorker(name: string, ...args: readonly string[]): Promise<WorkerProcess>;
  start(...args: readonly string[]): WorkerProcess;
  /** Runs a command in the project's folder to its end. */
  run(
    ...args: readonly string[]
  ): Promise<{ readonly code: number | null; readonly output: string }>;
  /** Ends every process that still runs and removes the folder. */
  close(): Promise<void>;
}

/** A project of a shared database, and processes that work for it. Models are an Ollama at `models`. */
export function openTeam(about: {
  readonly database: string;
  readonly models: string;
  readonly env?: { readonly [name: string]: string };
}): Team {
  const folder = mkdtempSync(join(tmpdir(), "signoff-team-"));
  writeFileSync(
    join(folder, "signoff.yaml"),
    "version: 1\nlimits: { concurrency: { ollama: 500 } }\n",
  );
  const env = {
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: join(folder, "home"),
    SIGNOFF_DATABASE_URL: about.database,
    OLLAMA_BASE_URL: about.models,
    SIGNOFF_USER: "Ada",
    ...about.env,
  };
  const started: WorkerProcess[] = [];
  const start = (...args: readonly string[]): WorkerProcess => {
    const child = spawn(process.execPath, [program, ...args], { cwd: folder, env });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (part: string) => {
        output += part;
      });
    }
    const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
      child.on("close", (code, signal) => resolve(signal ?? code));
    });
    const one = { child, output: () => output, ended };
    started.push(one);
    return one;
  };
  return {
    folder,
    env,
    start,
    async startWorker(name, ...args) {
      const worker = start("worker", "--name", name, ...args);
      const ready = new Promise<void>((resolve) => {
        worker.child.stderr?.on("data", () => {
          if (worker.output().includes(" at once. Ctrl-C drains it.")) resolve();
        });
      });
      const early = worker.ended.then(() => Promise.reject(new Error(worker.output())));
      await Promise.race([ready, early]);
      return worker;
    },
    async run(...args) {
      const one = start(...args);
      const code = await one.ended;
      return { code: typeof code === "number" ? code : null, output: one.output() };
    },
    async close() {
      for (const { child } of started) child.kill("SIGKILL");
      await Promise.all(started.map(({ ended }) => ended));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
