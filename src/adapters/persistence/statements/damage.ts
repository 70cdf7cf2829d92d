import { WorkflowError } from "../../../domain/values/workflow-error.ts";

/** What to do about a store that cannot be read as it is. */
export const wayOn =
  "Restore a backup with `signoff store restore`, or keep what can still be read with `signoff store recover`.";

/** A value that was stored whole and cannot be read back whole. */
export function unreadableValue(cause: unknown): WorkflowError {
  return new WorkflowError("the store is damaged: a value in it cannot be read", {
    code: "store-damaged",
    hint: wayOn,
    cause,
  });
}
