import { WorkflowError } from "../../domain/values/workflow-error.ts";
import type { StoredError } from "../../ports/runner.ts";

/** Marks an unexpected error: a bug. */
const bugCode = "internal-error";

/** An error as data. The hint is stored among the facts, because the error is shown again later. */
export function storedError(thrown: unknown): StoredError {
  if (thrown instanceof WorkflowError) {
    const { code, message, retryable, facts, hint } = thrown;
    return { code, message, retryable, facts: hint === undefined ? facts : { ...facts, hint } };
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  if (isSystemError(thrown)) {
    const hint = "Fix that, then resume the run.";
    return { code: "system-failed", message, retryable: false, facts: { hint } };
  }
  return { code: bugCode, message, retryable: false, facts: {} };
}

/** An error of the file system or the network: Node names the system call. */
function isSystemError(thrown: unknown): boolean {
  return thrown instanceof Error && "syscall" in thrown && typeof thrown.syscall === "string";
}
