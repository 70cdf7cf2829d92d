import { describe, expect, it } from "vitest";
import { ConfigurationError, WorkflowError } from "../../../domain/values/workflow-error.ts";
import { storeError } from "./store-error.ts";

function failure(code: string): Error {
  return Object.assign(new Error("it failed"), { code });
}

describe("errors of the store", () => {
  it.each([
    ["SQLITE_BUSY_SNAPSHOT", "store-busy"],
    ["SQLITE_FULL", "store-full"],
    ["ENOSPC", "store-full"],
    ["SQLITE_CORRUPT_INDEX", "store-damaged"],
    ["SQLITE_NOTADB", "store-damaged"],
    ["SQLITE_READONLY_DIRECTORY", "store-unwritable"],
    ["SQLITE_CANTOPEN", "store-unwritable"],
    ["SQLITE_IOERR_WRITE", "store-unwritable"],
    ["EROFS", "store-unwritable"],
  ])("%s becomes %s, with the file and a hint", (code, name) => {
    const cause = failure(code);
    const typed = storeError(cause, "/shop/.signoff/signoff.db");
    expect(typed).toBeInstanceOf(WorkflowError);
    expect(typed).toMatchObject({ code: name, cause });
    expect((typed as WorkflowError).message).toContain("/shop/.signoff/signoff.db");
    expect((typed as WorkflowError).hint).toMatch(/\.$/);
  });

  it("keeps what it does not know and what has a name already", () => {
    const bug = failure("SQLITE_CONSTRAINT_UNIQUE");
    const named = new ConfigurationError("newer", { code: "store-newer" });
    expect(storeError(bug, "x")).toBe(bug);
    expect(storeError(named, "x")).toBe(named);
  });
});
