import { CommanderError } from "commander";
import { commandErrorToJson } from "../../contract/http/problem.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Json } from "../../domain/values/json.ts";
import { WorkflowError } from "../../domain/values/workflow-error.ts";
import type { StoredError } from "../../ports/runner.ts";
import { exitCode, exitCodeOfError } from "./exit-code.ts";
import { hintOf } from "./render-error.ts";

/** An error in the format of the API's problems; undefined for `--help`, which is thrown too but is not a failure. */
export function errorDocument(error: unknown): Json | undefined {
  if (error instanceof WorkflowError) {
    const { code, message, hint, facts } = error;
    const details = Array.isArray(facts.problems) ? facts.problems.map(detailOf) : undefined;
    return commandErrorToJson({ code, message, ...defined({ hint, details }) });
  }
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return undefined;
    return commandErrorToJson({ code: "usage", message: message.replace(/^error: /u, "") });
  }
  const isBug = exitCodeOfError(error) === exitCode.bug;
  return commandErrorToJson({ code: isBug ? "internal-error" : "system-error", message });
}

/** Most problems are sentences; those of settings also have a source. */
function detailOf(problem: Json): string {
  if (typeof problem !== "object" || problem === null) return String(problem);
  const { name, source, message } = problem as { name?: string; source?: string; message?: string };
  return `${name || "the file"} (${source}): ${message}`;
}

/** The same for an error that comes from the record. */
export function storedErrorDocument(error: StoredError): Json {
  const { code, message } = error;
  const hint = hintOf(error);
  return commandErrorToJson({ code, message, ...defined({ hint }) });
}
