import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export function git(root: string, ...args: readonly string[]): string {
  const ran = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  if (ran.status !== 0) throw new Error(`git ${args.join(" ")}: ${ran.stderr}`);
  return ran.stdout;
}

/** The files that `git init` would write, without starting git, and who commits. */
export function initGit(root: string): void {
  for (const folder of ["objects", "refs/heads"])
    mkdirSync(join(root, ".git", folder), { recursive: true });
  writeFileSync(join(root, ".git/HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(root, ".git/config"), "[core]\n\trepositoryformatversion = 0\n");
  nameCommitter(root, "ada");
}

export function nameCommitter(root: string, user: string): void {
  const who = `[user]\n\tname = ${user}\n\temail = ${user}@example.org\n`;
  writeFileSync(join(root, ".git/config"), who, { flag: "a" });
}

/** Everything in the folder as one commit. */
export function commitAll(root: string, message = "Write it down"): void {
  git(root, "add", "--all");
  git(root, "commit", "--quiet", "--allow-empty", "--message", message);
}
