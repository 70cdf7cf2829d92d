import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The built command. */
export const program = fileURLToPath(new URL("../../dist/bin/signoff.js", import.meta.url));

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
  /** The same with other variables in its environment. */
  runWith(
    more: { readonly env: { readonly [name: string]: string } },
    ...args: readonly string[]
  ): Promise<{ readonly code: number | null; readonly output: string }>;
  /** Ends every process that still runs and removes the folder. */
  close(): Promise<void>;
}

export interface TeamParts {
  readonly database: string;
  /** The address of an Ollama. */
  readonly models: string;
  /** Lines of its signoff.yaml. */
  readonly settings?: string;
  /** Further variables of its processes. */
  readonly env?: { readonly [name: string]: string };
}

const usualSettings = "limits: { concurrency: { ollama: 500 } }";

/** A project of a shared database, and processes that work for it. */
export function openTeam(about: TeamParts): Team {
  const folder = mkdtempSync(join(tmpdir(), "signoff-team-"));
  writeFileSync(join(folder, "signoff.yaml"), `version: 1\n${about.settings ?? usualSettings}\n`);
  const env = {
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: join(folder, "home"),
    SIGNOFF_DATABASE_URL: about.database,
    OLLAMA_BASE_URL: about.models,
    SIGNOFF_USER: "Ada",
    ...about.env,
  };
  const started: WorkerProcess[] = [];
  const startWith = (
    more: { readonly [name: string]: string },
    args: readonly string[],
  ): WorkerProcess => {
    const all = { ...env, ...more };
    const child = spawn(process.execPath, [program, ...args], { cwd: folder, env: all });
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
  const start = (...args: readonly string[]): WorkerProcess => startWith({}, args);
  const ending = async ({ ended, output }: WorkerProcess) => {
    const code = await ended;
    return { code: typeof code === "number" ? code : null, output: output() };
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
    run: (...args) => ending(start(...args)),
    runWith: (more, ...args) => ending(startWith(more.env, args)),
    async close() {
      for (const { child } of started) child.kill("SIGKILL");
      await Promise.all(started.map(({ ended }) => ended));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
