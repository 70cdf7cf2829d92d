import { accessSync, constants, existsSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { writeFilesAtomically } from "../../adapters/workspace/atomic-files.ts";
import { ConfigurationError, WorkflowError } from "../../domain/values/workflow-error.ts";

/** Writes a file that the user named. */
export async function saveText(path: string, content: string): Promise<void> {
  try {
    await writeFilesAtomically([{ path, content }]);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new WorkflowError(`${path} could not be written: ${why}.`, {
      code: "output-unwritable",
      facts: { path },
      cause,
    });
  }
}

/** What is at a path; nothing is at one that cannot be a path, such as a text of some pages. */
export function lookUp(path: string): "file" | "other" | undefined {
  try {
    return statSync(path).isFile() ? "file" : "other";
  } catch {
    return undefined;
  }
}

/** Refuses an unwritable path before anything is paid for. */
export function requireSavable(path: string): void {
  const isFolder = existsSync(path) && statSync(path).isDirectory();
  const problem = isFolder ? "it is a folder" : problemOf(existingFolderOf(path));
  if (problem === undefined) return;
  throw new ConfigurationError(`${path} could not be written: ${problem}.`, {
    code: "output-unwritable",
    facts: { path },
  });
}

function existingFolderOf(path: string): string {
  const above = dirname(path);
  return above === path || existsSync(above) ? above : existingFolderOf(above);
}

function problemOf(folder: string): string | undefined {
  if (!statSync(folder).isDirectory()) return `${folder} is not a folder`;
  try {
    accessSync(folder, constants.W_OK);
    return undefined;
  } catch {
    return `nothing can be written in ${folder}`;
  }
}

/** Reads a file that the user named; `name` is how a message refers to it. */
export async function readTextFile(
  path: string,
  { name = path, code = "input-unreadable" } = {},
): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new ConfigurationError(`${name} cannot be read: ${reasonOf(cause)}.`, {
      code,
      facts: { path },
      cause,
    });
  }
}

function reasonOf(cause: unknown): string {
  const { code = "", message } = cause as NodeJS.ErrnoException;
  return reasons[code] ?? message;
}

const reasons: { readonly [code: string]: string } = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder",
  EACCES: "you may not read it",
};

/** A file named on the command line; `-` is standard input. */
export async function readInputText(cwd: string, file: string): Promise<string> {
  if (file === "-") return text(process.stdin);
  return readTextFile(resolve(cwd, file), { name: file, code: "file-unreadable" });
}
