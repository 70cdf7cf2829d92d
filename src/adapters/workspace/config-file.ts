import { closeSync, fstatSync, openSync, readFileSync, statSync } from "node:fs";
import { chmod, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { setConfigValue } from "../../contract/config/set-config-value.ts";
import { type FileProblem, messageWithHint } from "../../contract/documents/file-problem.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Json } from "../../domain/values/json.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import { writeFilesAtomically } from "./atomic-files.ts";

export const configFileName = "signoff.yaml";

const largest = 1_048_576;

export function configPath(root: string): string {
  return join(root, configFileName);
}

/**
 * The text of a small file written by a person; `undefined` if there is none. Read synchronously, which is faster than
 * passing such a file to another thread.
 */
export async function readSmallFile(path: string): Promise<string | undefined> {
  const handle = openToRead(path);
  if (handle === undefined) return undefined;
  try {
    const { size } = fstatSync(handle);
    if (size > largest) {
      throw new ConfigurationError(`${path} has ${size} bytes; at most ${largest} are read.`, {
        code: "file-too-large",
        facts: { path, size },
      });
    }
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(readFileSync(handle));
  } finally {
    closeSync(handle);
  }
}

export interface ConfigChange {
  readonly root: string;
  readonly key: string;
  readonly value: string;
}

/** Changes one setting of the project, or nothing if the change is invalid. */
export async function saveConfigValue(change: ConfigChange): Promise<{
  readonly path: string;
  readonly value: Json;
}> {
  const path = configPath(change.root);
  const text = await readSmallFile(path);
  const { key, value } = change;
  const edited = setConfigValue({ file: configFileName, key, value, ...defined({ text }) });
  if (edited.kind === "problems") throw notChanged(change.key, edited.problems);
  if (edited.value.text !== text) await replaceFile(path, edited.value.text);
  return { path, value: edited.value.value };
}

/** A link stays a link, and a file keeps its permissions. */
async function replaceFile(path: string, content: string): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const known = await stat(target).catch(() => undefined);
  await writeFilesAtomically([{ path: target, content }]);
  if (known !== undefined) await chmod(target, known.mode & 0o777);
}

/** A pipe or device might hang or never end, so only regular files are opened. */
function openToRead(path: string): number | undefined {
  const found = statOf(path);
  if (found === undefined) return undefined;
  if (!found.isFile()) {
    throw new ConfigurationError(`${path} is not a file.`, { code: "not-a-file", facts: { path } });
  }
  return openSync(path, "r");
}

function statOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw new ConfigurationError(`A settings file cannot be read: ${(error as Error).message}.`, {
      code: "file-unreadable",
      cause: error,
    });
  }
}

function notChanged(key: string, problems: readonly FileProblem[]): ConfigurationError {
  const texts = problems.map((problem) => {
    const { file, line = 1, path } = problem;
    const place = path === key ? key : `${file}:${line} ${path}`;
    return `${place} ${messageWithHint(problem)}`;
  });
  return new ConfigurationError(`Nothing was changed: ${texts.join("; ")}`, {
    code: "setting-refused",
    facts: { key, problems: problems.map((each) => ({ ...each })) },
  });
}
