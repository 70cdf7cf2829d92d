import { WorkflowError } from "../../../domain/values/workflow-error.ts";

/** What can be wrong with a store, whatever keeps it. */
export interface StoreTrouble {
  readonly code: string;
  readonly says: string;
  readonly hint: string;
  readonly retryable?: boolean;
}

/** The error for a trouble: what happened, to which store, why, and what to do. */
export function troubleError(
  { code, says, hint, retryable = false }: StoreTrouble,
  about: {
    readonly place: string;
    readonly why: string;
    readonly facts: Readonly<Record<string, string>>;
    readonly cause: Error;
  },
): WorkflowError {
  const { place, why, facts, cause } = about;
  return new WorkflowError(`${says}: ${place} (${why})`, { code, retryable, facts, hint, cause });
}
