import { codeOf, postgresError } from "../../adapters/persistence/postgres/postgres-error.ts";
import { WorkflowError } from "../../domain/values/workflow-error.ts";

/** A table, a schema or a function that `store migrate` would have made. */
const missing = /^(?:42P01|3F000|42883)$/u;

/** What is wrong with the database of the workers, as one sentence that says what to do. */
export function clusterError(error: unknown, url: string): unknown {
  if (missing.test(codeOf(error))) {
    return new WorkflowError("the database has nothing for workers yet", {
      code: "store-not-migrated",
      hint: "Run `signoff store migrate` once in a project's folder.",
      cause: error,
    });
  }
  const { hostname, port, pathname } = URL.canParse(url) ? new URL(url) : new URL("pg://database");
  return postgresError(error, `${hostname}${port === "" ? "" : `:${port}`}${pathname}`);
}
