import { spawn } from "node:child_process";
import { defined } from "../../domain/values/defined.ts";
import { WorkflowError } from "../../domain/values/workflow-error.ts";

/** Runs one git command. No shell; input goes through a pipe, so the number of paths has no limit. */
export type RunGit = (args: readonly string[], input?: string | Buffer) => Promise<Buffer>;

/** Pathspecs are taken literally: a folder may be called `:(top)`. */
const always = ["--no-optional-locks", "--literal-pathspecs"];

export function gitIn(
  folder: string,
  {
    onGit,
    env,
  }: { readonly onGit?: (args: readonly string[]) => void; readonly env?: NodeJS.ProcessEnv } = {},
): RunGit {
  return (args, input) =>
    new Promise((resolve, reject) => {
      onGit?.(args);
      const child = spawn("git", [...always, ...args], { cwd: folder, ...defined({ env }) });
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
}

function gitFailed(args: readonly string[], said: string, cause?: unknown): WorkflowError {
  return new WorkflowError(`git ${args[0]} failed: ${said}`, {
    code: "git-failed",
    facts: { args: [...args] },
    hint: "Run the same git command in the project folder to see what is wrong.",
    ...defined({ cause }),
  });
}
