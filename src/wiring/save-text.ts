import { readFile } from "node:fs/promises";
import { writeFilesAtomically } from "../adapters/workspace/atomic-files.ts";
import { ConfigurationError, WorkflowError } from "../domain/values/workflow-error.ts";

/** Writes a file that a person asked for by name. */
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

/** Reads a file that a person named. */
export async function readTextFile(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigurationError(`${path} cannot be read: ${why}.`, {
      code: "input-unreadable",
      facts: { path },
      cause,
    });
  }
}
