import { spawn } from "node:child_process";
import { WorkflowError } from "../../domain/values/workflow-error.ts";

/** Asks git one thing. No shell; input goes through a pipe, so the number of paths has no limit. */
export type RunGit = (args: readonly string[], input?: string | Buffer) => Promise<Buffer>;

export function gitIn(
  folder: string,
  onStart: (args: readonly string[]) => void = () => {},
): RunGit {
  return (args, input) => {
    onStart(args);
    return runGit(folder, args, input);
  };
}

/** Pathspecs are taken literally: a folder may be called `:(top)`. */
const always = ["--no-optional-locks", "--literal-pathspecs"];

function runGit(
  folder: string,
  args: readonly string[],
  input: string | Buffer | undefined,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn("git", [...always, ...args], {
      cwd: folder,
      stdio: ["pipe", "pipe", "pipe"],
    });
    const output: Buffer[] = [];
    const errors: Buffer[] = [];
    child.stdout.on("data", (part: Buffer) => output.push(part));
    child.stderr.on("data", (part: Buffer) => errors.push(part));
    child.on("error", (cause) => reject(gitFailed(args, cause.message, cause)));
    child.on("close", (code) => {
      if (code === 0) resolve(Buffer.concat(output));
      else reject(gitFailed(args, Buffer.concat(errors).toString("utf8").trim()));
    });
    // A git that ends early closes its input; its exit code tells the story, not the broken pipe.
    child.stdin.on("error", () => {});
    child.stdin.end(input ?? "");
  });
}

function gitFailed(args: readonly string[], said: string, cause?: unknown): WorkflowError {
  return new WorkflowError(`git ${args[0]} failed: ${said}`, {
    code: "git-failed",
    facts: { args: [...args] },
    hint: "Run the same git command in the project folder to see what is wrong.",
    ...(cause === undefined ? {} : { cause }),
  });
}
