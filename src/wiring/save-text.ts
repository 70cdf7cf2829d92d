import { writeFilesAtomically } from "../adapters/workspace/atomic-files.ts";
import { WorkflowError } from "../domain/values/workflow-error.ts";

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
