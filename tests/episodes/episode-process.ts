import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

const program = join(import.meta.dirname, "../../dist/bin/signoff.js");
export const example = join(import.meta.dirname, "../../examples/episode");

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Surroundings {
  readonly cwd: string;
  readonly env?: { readonly [name: string]: string };
}

/** Runs a command as a stranger would, and waits for its end. */
export function signoff(args: readonly string[], around: Surroundings): Promise<Ended> {
  const env = {
    HOME: join(around.cwd, "nobody-lives-here"),
    SIGNOFF_USER: "Ada Bell",
    ...around.env,
  };
  const child: ChildProcess = spawn(process.execPath, [program, ...args], {
    cwd: around.cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout?.on("data", (part) => {
    stdout += part;
  });
  child.stderr?.on("data", (part) => {
    stderr += part;
  });
  return new Promise((resolve) => {
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}

/** Runs commands one after the other; the first that fails ends the story. */
export async function steps(
  cwd: string,
  ...commands: readonly (readonly string[])[]
): Promise<void> {
  for (const args of commands) {
    const { code, stderr } = await signoff(["episode", ...args], { cwd });
    if (code !== 0) throw new Error(`episode ${args.join(" ")} ended with ${code}: ${stderr}`);
  }
}

export function newFolder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), "episodes-")));
}

/** Every file of a workspace by its path, without the project's store. */
export function treeOf(root: string): { readonly [path: string]: string } {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const named = files
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !relative(root, path).startsWith(".signoff"))
    .map((path) => [relative(root, path), readFileSync(path, "utf8")] as const);
  return Object.fromEntries(named.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The example's workspace as far as its first drafts. */
export async function draftedExample(home: string): Promise<string> {
  await steps(home, ["init", "--episode-id", "long_shelf_12"]);
  const workspace = join(home, "episodes", "long_shelf_12");
  const input = ["--transcript", join(example, "transcript.txt")];
  const chapters = ["--chapters", join(example, "chapters.txt")];
  const hosts = ["--host", "Mira Olsen", "--host", "Tomas Reyes"];
  await steps(
    workspace,
    ["add", ...input, ...chapters, ...hosts],
    ["chunk"],
    ["summarize"],
    ["draft"],
  );
  return workspace;
}
