import { constants } from "node:fs";
import { lstat, mkdir, open, realpath } from "node:fs/promises";
import { dirname, join, win32 } from "node:path";
import { unlessMissing } from "../../../domain/values/unless-missing.ts";
import { RunnerError } from "../../../domain/values/workflow-error.ts";

/**
 * Writes the files of a scripted reply, only below `root`. Every path is checked before anything is written, so a
 * refused reply leaves nothing behind.
 */
export async function mutateFiles(root: string, files: ReadonlyMap<string, string>): Promise<void> {
  if (files.size === 0) return;
  const base = await realpath(root);
  const paths = [...files.keys()].sort();
  const planned = paths.map((path) => ({ path, parts: partsOf(path) }));
  for (const { path, parts } of planned) {
    refuseFileBelowFile(path, parts, planned);
    await refuseLinksAndFolders(base, path, parts);
  }
  for (const { path, parts } of planned) {
    await writeBelow(join(base, ...parts), files.get(path) ?? "");
  }
}

function partsOf(path: string): readonly string[] {
  if (win32.parse(path).root !== "") throw refused(path, "must be relative");
  if (path.includes("\0")) throw refused(path, "holds a zero byte");
  const parts = path.split(/[/\\]/).filter((part) => part !== "" && part !== ".");
  if (parts.includes("..")) throw refused(path, "escapes the root");
  if (parts.length === 0) throw refused(path, "names no file");
  return parts;
}

function refuseFileBelowFile(
  path: string,
  parts: readonly string[],
  planned: readonly { readonly path: string; readonly parts: readonly string[] }[],
): void {
  const other = planned.find(
    (one) =>
      one.path !== path &&
      one.parts.length <= parts.length &&
      one.parts.every((part, index) => part === parts[index]),
  );
  if (other !== undefined) throw refused(path, `collides with ${JSON.stringify(other.path)}`);
}

async function refuseLinksAndFolders(
  base: string,
  path: string,
  parts: readonly string[],
): Promise<void> {
  for (let depth = 1; depth <= parts.length; depth += 1) {
    const found = await unlessMissing(lstat(join(base, ...parts.slice(0, depth))));
    if (found === undefined) return;
    if (found.isSymbolicLink()) throw refused(path, "leads through a symbolic link");
    const last = depth === parts.length;
    if (last && !found.isFile()) throw refused(path, "is not a file");
    if (!last && !found.isDirectory()) throw refused(path, "has a file as its folder");
  }
}

async function writeBelow(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  // A link put there since the check is not followed either.
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;
  const handle = await open(file, flags);
  try {
    await handle.writeFile(text.endsWith("\n") ? text : `${text}\n`);
  } finally {
    await handle.close();
  }
}

function refused(path: string, problem: string): RunnerError {
  return new RunnerError(`mutate_files: ${JSON.stringify(path)} ${problem}; nothing was written.`, {
    code: "script-path-refused",
    facts: { path, problem },
    hint: "Use paths relative to the workspace, without links on the way.",
  });
}
