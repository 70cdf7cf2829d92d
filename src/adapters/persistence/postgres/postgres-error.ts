import { WorkflowError } from "../../../domain/values/workflow-error.ts";
import { type StoreTrouble, troubleError } from "../statements/store-trouble.ts";

const away: StoreTrouble = {
  code: "store-away",
  says: "the database cannot be reached",
  hint: "Nothing recorded is lost. Check that PostgreSQL runs and that SIGNOFF_DATABASE_URL names it, then repeat the command.",
  retryable: true,
};
const refused: StoreTrouble = {
  code: "store-refused",
  says: "the database refuses the login",
  hint: "Check user, password and database in SIGNOFF_DATABASE_URL or the PG… variables.",
};
const forbidden: StoreTrouble = {
  code: "store-forbidden",
  says: "this user of the database lacks a right",
  hint: "Grant SELECT, INSERT, UPDATE and DELETE on the project's tables; `signoff store migrate` also needs CREATE once. See docs/scale.md.",
};
const full: StoreTrouble = {
  code: "store-full",
  says: "there is no room left on the disk of the database",
  hint: "Free some space there (`signoff runs prune`), then resume the run. Nothing recorded is lost.",
};
const damaged: StoreTrouble = {
  code: "store-damaged",
  says: "the database is damaged",
  hint: "Restore it to a point in time, then run `signoff store recover`.",
};
const readOnly: StoreTrouble = {
  code: "store-unwritable",
  says: "the database is read-only",
  hint: "SIGNOFF_DATABASE_URL must name the primary, not a replica.",
  retryable: true,
};

/** By SQLSTATE, or by a class of them; a connection that breaks has no SQLSTATE but an error code of the network. */
const troubles: readonly (readonly [pattern: RegExp, trouble: StoreTrouble])[] = [
  [/^(?:08|57P0[1-5]|25P03|53300|E[A-Z]{3,}|connection-lost)/u, away],
  [/^(?:28|3D000)/u, refused],
  [/^42501/u, forbidden],
  [/^(?:53100|53200)/u, full],
  [/^XX00[12]/u, damaged],
  [/^25006/u, readOnly],
];

/** Repeating the whole unit may help: a deadlock, a serialization failure, a lost connection. */
const passing = /^(?:40001|40P01|55P03)$/u;

export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  if ("code" in error && typeof error.code === "string") return error.code;
  return isCut(error) ? "connection-lost" : "";
}

export function isPassing(error: unknown): boolean {
  return passing.test(codeOf(error));
}

/** Whether the connection is gone, so that the outcome of the statement is unknown. */
export function isConnectionLost(error: unknown): boolean {
  return troubles[0]?.[0].test(codeOf(error)) === true;
}

function isCut(error: Error): boolean {
  return /^Connection terminated|^Client has encountered a connection error|^timeout (?:expired|exceeded)/u.test(
    error.message,
  );
}

/** Gives an error of PostgreSQL a stable name. The message names the server and never the password. */
export function postgresError(error: unknown, place: string): unknown {
  if (error instanceof WorkflowError || !(error instanceof Error)) return error;
  const code = codeOf(error);
  const trouble = troubles.find(([pattern]) => pattern.test(code))?.[1];
  if (trouble === undefined) return error;
  const why = trouble === away ? code : `${code}: ${error.message}`;
  const facts = { place, cause: code };
  return troubleError(trouble, { place, why, facts, cause: error });
}
