import { spawn } from "node:child_process";
import { defined } from "../../domain/values/defined.ts";
import { lazily } from "../../domain/values/lazily.ts";
import { ConfigurationError, WorkflowError } from "../../domain/values/workflow-error.ts";

/** Runs one git command. No shell; input goes through a pipe, so the number of paths has no limit. */
export type RunGit = (args: readonly string[], input?: string | Buffer) => Promise<Buffer>;

/**
 * Pathspecs are taken literally: a folder may be called `:(top)`. A repository that was copied with its configuration
 * starts no program of its own: no watcher of files, no hook, no signature check, no fetch of objects it lacks.
 */
const always = [
  ...["--no-optional-locks", "--literal-pathspecs"],
  ...["core.fsmonitor=false", "core.hooksPath=/dev/null", "log.showSignature=false"].flatMap(set),
  ...set("protocol.allow=never"),
];

export function gitIn(
  folder: string,
  {
    onGit,
    env,
  }: { readonly onGit?: (args: readonly string[]) => void; readonly env?: NodeJS.ProcessEnv } = {},
): RunGit {
  const run = (
    args: readonly string[],
    input?: string | Buffer,
    settings: readonly string[] = [],
  ): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      const child = spawn("git", [...settings, ...args], { cwd: folder, ...defined({ env }) });
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
    return run(args, input, [...always, ...(await harmless())]);
  };
}

/** Filters and the like that the repository itself configures; those of the user's own configuration are kept. */
const programs =
  /^(?:diff\.external|(?:filter|diff)\..*\.(?:clean|smudge|process|textconv|command))$/su;

async function withoutPrograms(run: RunGit): Promise<readonly string[]> {
  const listing = ["config", "--show-scope", "--null", "--name-only", "--list"];
  // One character per byte: git allows bytes in a name that are no text.
  const parts = (await run(listing).catch(() => Buffer.alloc(0))).toString("latin1").split("\0");
  return parts.flatMap((name, at) => {
    if (at % 2 === 0) return [];
    if (/^protocol\..*\.allow$/su.test(name)) return set(`${name}=never`);
    const isOwn = parts[at - 1] === "local" || parts[at - 1] === "worktree";
    if (!isOwn || !programs.test(name)) return [];
    // `git -c` cannot name it, so it could not be switched off.
    if (!/^[ -<>-~]+$/u.test(name)) throw programNamed(name);
    const filter = /^(filter\..*)\.\w+$/u.exec(name)?.[1];
    return [...set(`${name}=`), ...(filter === undefined ? [] : set(`${filter}.required=false`))];
  });
}

function set(setting: string): readonly string[] {
  return ["-c", setting];
}

function programNamed(name: string): ConfigurationError {
  return new ConfigurationError(
    "This repository's own git configuration names a program that git would start.",
    {
      code: "git-program-named",
      facts: { name },
      hint: `Remove "${name}" from the configuration of the repository (.git/config) if you do not need it.`,
    },
  );
}

function gitFailed(args: readonly string[], said: string, cause?: unknown): WorkflowError {
  const lacksObjects = /could not fetch [0-9a-f]+ from promisor remote/u.test(said);
  return new WorkflowError(`git ${args[0]} failed: ${said}`, {
    code: "git-failed",
    facts: { args: [...args] },
    hint: lacksObjects
      ? "Signoff lets git fetch nothing. Get the objects this clone lacks: git fetch --refetch --no-filter"
      : "Run the same git command in the project folder to see what is wrong.",
    ...defined({ cause }),
  });
}
