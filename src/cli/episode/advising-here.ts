import { shellWord } from "../../domain/values/shell-word.ts";
import { WorkflowError } from "../../domain/values/workflow-error.ts";

/** Commands that an error advises get the workspace that the failed command was given. */
export function advisingHere<Flags extends { readonly workspace?: string }>(
  act: (flags: Flags) => Promise<void>,
): (flags: Flags) => Promise<void> {
  return async (flags) => {
    const { workspace } = flags;
    try {
      await act(flags);
    } catch (error) {
      if (workspace !== undefined && error instanceof WorkflowError && error.hint !== undefined) {
        const flag = ` --workspace ${shellWord(workspace)}`;
        const hint = error.hint.replace(/`(signoff episode (?!init)[^`]*)`/gu, `\`$1${flag}\``);
        Object.assign(error, { hint });
      }
      throw error;
    }
  };
}
