import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../../dist/bin/signoff.js", import.meta.url));
const bundle = fileURLToPath(new URL("../../dist/bin/program.js", import.meta.url));

/** Node's own folder holds nothing else when it comes from a package. */
const path = `${dirname(process.execPath)}:/usr/bin:/bin`;

/** No command takes this long; one that hangs must not outlive its test. */
const mostMillis = 240_000;

/** Outside a terminal the stand-ins must be named. */
export const standIns = ["--model", "offline/rules"] as const;

export interface Surroundings {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What the standard input holds. */
  readonly input?: string;
}

export interface EndedProcess {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningProcess {
  readonly child: ChildProcess;
  readonly ended: Promise<EndedProcess>;
}

/** The bundled command line as a separate process with a separate environment. */
export function startSignoff(
  args: readonly string[],
  { cwd, env, input }: Surroundings,
): RunningProcess {
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env: { PATH: path, HOME: join(cwd, "no-such-home"), ...env },
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    timeout: mostMillis,
    killSignal: "SIGKILL",
  });
  child.stdin?.end(input);
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.setEncoding("utf8");
    child[name]?.on("data", (part: string) => {
      output[name] += part;
    });
  }
  const ended = new Promise<EndedProcess>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, ...output }));
  });
  return { child, ended };
}

/** Set in a test that is about the process itself: its input, signals, crash points, or several commands at once. */
const needsProcess = /^SIGNOFF_(?:STOP_AT|PAUSE_AT)$/u;

let isRunning = false;

/**
 * Runs a command of the bundle to its end: in this process, which saves a start of Node, unless another command is
 * running here or the command has to be a process of its own.
 */
export async function runSignoff(
  args: readonly string[],
  surroundings: Surroundings,
): Promise<EndedProcess> {
  const { env = {} } = surroundings;
  const readsInput = surroundings.input !== undefined || args.includes("-");
  if (isRunning || readsInput || Object.keys(env).some((name) => needsProcess.test(name))) {
    return startSignoff(args, surroundings).ended;
  }
  isRunning = true;
  try {
    return await runHere(args, surroundings);
  } finally {
    isRunning = false;
  }
}

type RunProgram = (
  args: readonly string[],
  host: {
    readonly stdout: { write(text: string): void };
    readonly stderr: { write(text: string): void };
    readonly env: Readonly<Record<string, string>>;
    cwd(): string;
  },
) => Promise<number>;

/** Loaded as Node loads it, without vitest's transformations. */
const loadProgram = createRequire(import.meta.url);

async function runHere(args: readonly string[], { cwd, env }: Surroundings): Promise<EndedProcess> {
  const { runProgram } = loadProgram(bundle) as { readonly runProgram: RunProgram };
  const out: string[] = [];
  const err: string[] = [];
  const { log, info, warn, error, debug } = console;
  try {
    const code = await runProgram(args, {
      stdout: { write: (text) => void out.push(text) },
      stderr: { write: (text) => void err.push(text) },
      env: { PATH: path, HOME: join(cwd, "no-such-home"), ...env },
      cwd: () => cwd,
    });
    return { code, signal: null, stdout: out.join(""), stderr: err.join("") };
  } finally {
    Object.assign(console, { log, info, warn, error, debug });
  }
}

/** A temporary folder for one test, removed afterwards. */
export async function inFolder<T>(story: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "signoff-"));
  try {
    return await story(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes a script into a folder and returns its name there. */
export async function writeScript(
  folder: string,
  script: unknown,
  name = "replies.json",
): Promise<string> {
  await writeFile(join(folder, name), JSON.stringify(script));
  return name;
}

export interface RunJson {
  readonly run_id: string;
  readonly state: string;
  readonly outcome: string | null;
  readonly ruled_by: string | null;
  readonly deciders: readonly string[];
  readonly title: string;
  readonly resumable: boolean;
}

export async function listRuns(surroundings: Surroundings): Promise<readonly RunJson[]> {
  const { stdout } = await runSignoff(["runs", "list", "--json"], surroundings);
  return (JSON.parse(stdout) as { readonly runs: readonly RunJson[] }).runs;
}
