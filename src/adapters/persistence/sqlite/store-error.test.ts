import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { ConfigurationError, WorkflowError } from "../../../domain/values/workflow-error.ts";
import { isBusy, storeError } from "./store-error.ts";

function failure(code: string): Error {
  return Object.assign(new Error("it failed"), { code });
}

describe("errors of the store", () => {
  it.each([
    ["SQLITE_BUSY_SNAPSHOT", "store-busy"],
    ["SQLITE_LOCKED", "store-busy"],
    ["SQLITE_PROTOCOL", "store-busy"],
    ["SQLITE_FULL", "store-full"],
    ["SQLITE_IOERR_SHMSIZE", "store-full"],
    ["ENOSPC", "store-full"],
    ["EDQUOT", "store-full"],
    ["SQLITE_CORRUPT_INDEX", "store-damaged"],
    ["SQLITE_NOTADB", "store-damaged"],
    ["SQLITE_READONLY_DIRECTORY", "store-unwritable"],
    ["SQLITE_CANTOPEN", "store-unwritable"],
    ["SQLITE_IOERR_WRITE", "store-unwritable"],
    ["SQLITE_PERM", "store-unwritable"],
    ["EROFS", "store-unwritable"],
    ["EACCES", "store-unwritable"],
    ["EPERM", "store-unwritable"],
    ["ENOTDIR", "store-unwritable"],
    ["ENOENT", "store-unwritable"],
    ["EEXIST", "store-unwritable"],
    ["EISDIR", "store-unwritable"],
  ])("%s becomes %s, with the file and a hint", (code, name) => {
    const cause = failure(code);
    const typed = storeError(cause, "/shop/.signoff/signoff.db");
    expect(typed).toBeInstanceOf(WorkflowError);
    const facts = { path: "/shop/.signoff/signoff.db", cause: code };
    expect(typed).toMatchObject({ code: name, cause, facts, retryable: name === "store-busy" });
    expect((typed as WorkflowError).message).toMatch(`: /shop/.signoff/signoff.db (${code})`);
    expect((typed as WorkflowError).hint).toMatch(/\.$/);
  });

  it("takes a store without a part of its schema for damaged, and says what is missing", () => {
    const lacking = Object.assign(new Error("no such table: runs"), { code: "SQLITE_ERROR" });
    expect(storeError(lacking, "x")).toMatchObject({
      code: "store-damaged",
      message: "the store is damaged or is not a database: x (no such table: runs)",
    });
  });

  it("keeps what it does not know and what has a name already", () => {
    const bug = failure("SQLITE_CONSTRAINT_UNIQUE");
    const named = new ConfigurationError("newer", { code: "store-newer" });
    expect(storeError(bug, "x")).toBe(bug);
    expect(storeError(named, "x")).toBe(named);
    for (const odd of ["a text", new Error("no code"), Object.assign(new Error("7"), { code: 7 })])
      expect(storeError(odd, "x")).toBe(odd);
  });

  it("mean another writer only if SQLite says so", () => {
    const ofSqlite = (code: string) => new Database.SqliteError("it failed", code);
    expect(isBusy(ofSqlite("SQLITE_BUSY"))).toBe(true);
    expect(isBusy(ofSqlite("SQLITE_BUSY_SNAPSHOT"))).toBe(true);
    expect(isBusy(ofSqlite("SQLITE_FULL"))).toBe(false);
    expect(isBusy(failure("SQLITE_BUSY"))).toBe(false);
  });
});
