import Database from "better-sqlite3";
import { WorkflowError } from "../../../domain/values/workflow-error.ts";
import { wayOn } from "../statements/damage.ts";
import { type StoreTrouble, troubleError } from "../statements/store-trouble.ts";

const busy: StoreTrouble = {
  code: "store-busy",
  says: "another process is writing to the store and did not finish in time",
  hint: "Try again; if it keeps failing, look for a hanging signoff process.",
  retryable: true,
};
const full: StoreTrouble = {
  code: "store-full",
  says: "there is no room left for the store",
  hint: "Free some space (`signoff runs prune`), then resume the run.",
};
const damaged: StoreTrouble = {
  code: "store-damaged",
  says: "the store is damaged or is not a database",
  hint: wayOn,
};
const unwritable: StoreTrouble = {
  code: "store-unwritable",
  says: "the store cannot be opened or written",
  hint: "Check that the folder exists and that you may write to it.",
};

/** By SQLite's primary result code; extended codes such as `SQLITE_IOERR_WRITE` begin with it. */
const troubles: readonly (readonly [prefix: string, trouble: StoreTrouble])[] = [
  ["SQLITE_BUSY", busy],
  ["SQLITE_LOCKED", busy],
  ["SQLITE_PROTOCOL", busy],
  ["SQLITE_FULL", full],
  // The index of the log beside the store cannot grow.
  ["SQLITE_IOERR_SHMSIZE", full],
  ["SQLITE_CORRUPT", damaged],
  ["SQLITE_NOTADB", damaged],
  ["SQLITE_READONLY", unwritable],
  ["SQLITE_CANTOPEN", unwritable],
  ["SQLITE_PERM", unwritable],
  ["SQLITE_IOERR", unwritable],
  ["ENOSPC", full],
  ["EDQUOT", full],
  ["EACCES", unwritable],
  ["EPERM", unwritable],
  ["EROFS", unwritable],
  ["ENOTDIR", unwritable],
  ["ENOENT", unwritable],
  ["EEXIST", unwritable],
  ["EISDIR", unwritable],
];

/** The statements fit the schema of this version, so a store without it has lost a part; sums fit what we write. */
const lacksSchema = /^no such (?:table|column|index)|has no column named|^integer overflow/u;

/** Gives an error of SQLite or of the file system a stable name; anything else passes unchanged. */
export function storeError(error: unknown, path: string): unknown {
  if (error instanceof WorkflowError || !(error instanceof Error)) return error;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const trouble = lacksSchema.test(error.message)
    ? damaged
    : troubles.find(([prefix]) => code.startsWith(prefix))?.[1];
  if (trouble === undefined) return error;
  const why = code === "SQLITE_ERROR" ? error.message : code;
  const facts = { path, cause: code };
  return troubleError(trouble, { place: path, why, facts, cause: error });
}

/** Whether another process is writing. */
export function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY");
}
