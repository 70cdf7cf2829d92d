import { shellWord } from "../../domain/values/shell-word.ts";
import { WorkflowError } from "../../domain/values/workflow-error.ts";

/** Commands that an error advises get the workspace that the failed command was given. */
export async function advisingHere<T>(
  { workspace }: { readonly workspace?: string },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (workspace !== undefined && error instanceof WorkflowError && error.hint !== undefined) {
      const flag = ` --workspace ${shellWord(workspace)}`;
      const hint = error.hint.replace(/`(signoff episode (?!init)[^`]*)`/gu, `\`$1${flag}\``);
      Object.assign(error, { hint });
    }
    throw error;
  }
}
