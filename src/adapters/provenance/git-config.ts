import { execFile } from "node:child_process";

/** A value of git's configuration as it holds in this folder; undefined without git or without the value. */
export function readGitConfig(folder: string, name: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile("git", ["config", "--get", name], { cwd: folder }, (error, stdout) => {
      const value = stdout.trim();
      resolve(error !== null || value === "" ? undefined : value);
    });
  });
}
