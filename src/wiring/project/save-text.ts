import { accessSync, constants, existsSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { buffer } from "node:stream/consumers";
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
export function kindOfPath(path: string): "file" | "other" | undefined {
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
    hint: "Give the path of a file in a folder that you can write to.",
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

interface InputNeeds {
  /** What to do about a file that is not there, or a folder. */
  readonly hint?: string;
  /** The reader of the format says what is missing. */
  readonly mayBeEmpty?: boolean;
}

/** A text that the user named on the command line; `-` is standard input. Whatever is not a text is refused by its name. */
export async function readInputText(
  cwd: string,
  file: string,
  { hint = "Give the path of a text file.", mayBeEmpty = false }: InputNeeds = {},
): Promise<string> {
  const name = file === "-" ? "The standard input" : file;
  const refuse = (message: string, about: { readonly code?: string; readonly hint: string }) =>
    new ConfigurationError(message, { code: "file-unreadable", facts: { file }, ...about });
  const read = decoded(file === "-" ? await buffer(process.stdin) : await bytesOf(cwd, file, hint));
  if (read === undefined) {
    const how = "Save it as plain text in UTF-8.";
    throw refuse(`${name} is not a text in UTF-8.`, { hint: how });
  }
  if (mayBeEmpty || read.trim() !== "") return read;
  const how = file === "-" ? "Pipe a text into it, or name a file." : "Write a text into it first.";
  throw refuse(`${name} holds no text.`, { code: "file-empty", hint: how });
}

async function bytesOf(cwd: string, file: string, hint: string): Promise<Buffer> {
  try {
    return await readFile(resolve(cwd, file));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const known = {
      ENOENT: `There is no file ${file}.`,
      EISDIR: `${file} is a folder, not a text.`,
    };
    const message =
      known[code as keyof typeof known] ?? `${file} cannot be read: ${reasonOf(cause)}.`;
    throw new ConfigurationError(message, {
      code: "file-unreadable",
      facts: { file },
      hint,
      cause,
    });
  }
}

/**
 * With the line ends of this system's files, so that a text from Windows is judged by its words. Undefined for what is no
 * text: other encodings, and control characters that only programs write.
 */
function decoded(bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return controls.test(text) ? undefined : text.replace(/\r\n?/gu, "\n");
  } catch {
    return undefined;
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controls = /[\0-\x08\x0e-\x19\x1c-\x1f]/u;
