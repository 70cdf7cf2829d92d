import { WorkflowError } from "../../domain/values/workflow-error.ts";
import type { StoredError } from "../../ports/runner.ts";

/** Marks an error that nobody threw on purpose. */
const bugCode = "internal-error";

/** An error as data. The hint travels among the facts, because a stored error is shown again later. */
export function storedError(thrown: unknown): StoredError {
  if (thrown instanceof WorkflowError) {
    const { code, message, retryable, facts, hint } = thrown;
    return { code, message, retryable, facts: hint === undefined ? facts : { ...facts, hint } };
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  if (isSystemError(thrown)) {
    const hint = "Put that right, then resume the run.";
    return { code: "system-failed", message, retryable: false, facts: { hint } };
  }
  return { code: bugCode, message, retryable: false, facts: {} };
}

/** The disk or the network said no; Node names the system call then. */
function isSystemError(thrown: unknown): boolean {
  return thrown instanceof Error && "syscall" in thrown && typeof thrown.syscall === "string";
}
