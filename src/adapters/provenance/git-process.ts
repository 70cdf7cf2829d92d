import { spawn } from "node:child_process";
import {
  closeSync,
  fstatSync,
  mkdtempSync,
  openSync,
  readSync,
  rmdirSync,
  unlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defined } from "../../domain/values/defined.ts";
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
    const spool = openSpool();
    const child = spawn("git", [...always, ...args], {
      cwd: folder,
      stdio: [input === undefined ? "ignore" : "pipe", spool ?? "pipe", "pipe"],
    });
    const output: Buffer[] = [];
    const errors: Buffer[] = [];
    child.stdout?.on("data", (part: Buffer) => output.push(part));
    child.stderr?.on("data", (part: Buffer) => errors.push(part));
    child.on("error", (cause) => reject(gitFailed(args, cause.message, cause)));
    child.on("close", (code) => {
      if (spool !== undefined) output.push(readSpool(spool));
      if (code === 0) resolve(Buffer.concat(output));
      else reject(gitFailed(args, Buffer.concat(errors).toString("utf8").trim()));
    });
    // A git that ends early closes its input; its exit code tells the story, not the broken pipe.
    child.stdin?.on("error", () => {});
    child.stdin?.end(input);
  });
}

/**
 * Where git writes to, and never waits for us to read: we may be loading what the answer needs. A file without a name
 * is gone with its last handle, however we end. Without a place for it there is the pipe.
 */
function openSpool(): number | undefined {
  try {
    const folder = mkdtempSync(join(tmpdir(), "signoff-git-"));
    const path = join(folder, "output");
    const spool = openSync(path, "wx+", 0o600);
    unlinkSync(path);
    rmdirSync(folder);
    return spool;
  } catch {
    return undefined;
  }
}

function readSpool(spool: number): Buffer {
  const output = Buffer.allocUnsafe(fstatSync(spool).size);
  for (let at = 0; at < output.length; ) at += readSync(spool, output, at, output.length - at, at);
  closeSync(spool);
  return output;
}

function gitFailed(args: readonly string[], said: string, cause?: unknown): WorkflowError {
  return new WorkflowError(`git ${args[0]} failed: ${said}`, {
    code: "git-failed",
    facts: { args: [...args] },
    hint: "Run the same git command in the project folder to see what is wrong.",
    ...defined({ cause }),
  });
}
