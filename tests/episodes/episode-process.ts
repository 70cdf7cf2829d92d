import { mkdtempSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { type EndedProcess, runSignoff, type Surroundings } from "../support/signoff-process.ts";

export type { Surroundings } from "../support/signoff-process.ts";

export const example = join(import.meta.dirname, "../../examples/episode");

/** Runs a command as a new user would, and waits for its end. */
export function signoff(
  args: readonly string[],
  { cwd, env }: Surroundings,
): Promise<EndedProcess> {
  return runSignoff(args, { cwd, env: { SIGNOFF_USER: "Ada Bell", ...env } });
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
