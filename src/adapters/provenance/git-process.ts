import { spawn } from "node:child_process";
import { defined } from "../../domain/values/defined.ts";
import { lazily } from "../../domain/values/lazily.ts";
import { WorkflowError } from "../../domain/values/workflow-error.ts";

/** Runs one git command. No shell; input goes through a pipe, so the number of paths has no limit. */
export type RunGit = (args: readonly string[], input?: string | Buffer) => Promise<Buffer>;

/**
 * Pathspecs are taken literally: a folder may be called `:(top)`. A repository that was copied with its configuration
 * starts no program of its own: no watcher of files, no hook, no signature check.
 */
const always = [
  ...["--no-optional-locks", "--literal-pathspecs"],
  ...["core.fsmonitor=false", "core.hooksPath=/dev/null", "log.showSignature=false"].flatMap(
    (setting) => ["-c", setting],
  ),
];

export function gitIn(
  folder: string,
  {
    onGit,
    env,
  }: { readonly onGit?: (args: readonly string[]) => void; readonly env?: NodeJS.ProcessEnv } = {},
): RunGit {
  const run = (args: readonly string[], input?: string | Buffer): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      const child = spawn("git", [...args], { cwd: folder, ...defined({ env }) });
      const output: Buffer[] = [];
      const errors: Buffer[] = [];
      child.stdout.on("data", (part: Buffer) => output.push(part));
      child.stderr.on("data", (part: Buffer) => errors.push(part));
      child.on("error", (cause) => reject(gitFailed(args, cause.message, cause)));
      child.on("close", (code) => {
        if (code === 0) resolve(Buffer.concat(output));
        else reject(gitFailed(args, Buffer.concat(errors).toString("utf8").trim()));
      });
      // If git ends early and closes its input, its exit code explains the failure, not the broken pipe.
      child.stdin.on("error", () => {});
      child.stdin.end(input);
    });
  const harmless = lazily(() => withoutPrograms(run));
  return async (args, input) => {
    onGit?.(args);
    return run([...always, ...(await harmless()), ...args], input);
  };
}

/** Filters and the like that the repository itself configures; those of the user's own configuration are kept. */
async function withoutPrograms(run: RunGit): Promise<readonly string[]> {
  const names = "^(filter|diff)\\..*\\.(clean|smudge|process|textconv|command)$|^diff\\.external$";
  const listing = ["config", "--show-scope", "--null", "--name-only", "--get-regexp", names];
  const parts = (await run(listing).catch(() => Buffer.alloc(0))).toString("utf8").split("\0");
  return parts.flatMap((name, at) => {
    const scope = parts[at - 1];
    if (at % 2 === 0 || (scope !== "local" && scope !== "worktree")) return [];
    const filter = /^(filter\..*)\.\w+$/u.exec(name)?.[1];
    const required = filter === undefined ? [] : ["-c", `${filter}.required=false`];
    return ["-c", `${name}=`, ...required];
  });
}

function gitFailed(args: readonly string[], said: string, cause?: unknown): WorkflowError {
  return new WorkflowError(`git ${args[0]} failed: ${said}`, {
    code: "git-failed",
    facts: { args: [...args] },
    hint: "Run the same git command in the project folder to see what is wrong.",
    ...defined({ cause }),
  });
}
