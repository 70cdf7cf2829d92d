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
const unverified: StoreTrouble = {
  code: "store-unverified",
  says: "the certificate of the database cannot be verified",
  hint: "Name the certificate of its authority in SIGNOFF_DATABASE_URL: sslmode=verify-full&sslrootcert=ca.crt, with the path of that file.",
};
const unencrypted: StoreTrouble = {
  code: "store-unencrypted",
  says: "the database offers no encrypted connection",
  hint: "Switch on ssl at the server, or take sslmode out of SIGNOFF_DATABASE_URL if you trust the network.",
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
  // OpenSSL's names are words joined by underscores; Node's own errors begin with ERR.
  [/^(?:ERR_(?:TLS|SSL)_|(?!ERR_)[A-Z]+(?:_[A-Z]+)+$)/u, unverified],
  [/^no-tls$/u, unencrypted],
  // Without the right to use it, the schema does not even seem to exist.
  [/^(?:42501|3F000)/u, forbidden],
  [/^(?:53100|53200)/u, full],
  [/^XX00[12]/u, damaged],
  [/^25006/u, readOnly],
];

/** Repeating the whole unit may help: a deadlock, a serialization failure, a lost connection. */
const passing = /^(?:40001|40P01|55P03)$/u;

export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  if ("code" in error && typeof error.code === "string") return error.code;
  if (isCut(error)) return "connection-lost";
  return /does not support SSL/u.test(error.message) ? "no-tls" : "";
}

export function isPassing(error: unknown): boolean {
  return passing.test(codeOf(error));
}

/** Whether the connection is gone, so that the outcome of the statement is unknown. */
export function isConnectionLost(error: unknown): boolean {
  return troubles[0]?.[0].test(codeOf(error)) === true;
}

/** Whether the database refuses work that it would take once it is mended: it is full or read-only, or a right is missing. */
export function isRefusal(error: unknown): boolean {
  const code = codeOf(error);
  return [full, forbidden, readOnly].includes(
    troubles.find(([pattern]) => pattern.test(code))?.[1] as StoreTrouble,
  );
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
  const why = trouble === away || trouble === unencrypted ? code : `${code}: ${error.message}`;
  const facts = { place, cause: code };
  return troubleError(trouble, { place, why, facts, cause: error });
}
