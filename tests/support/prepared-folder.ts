import { cpSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, onTestFinished } from "vitest";

export interface PreparedFolder {
  /** A copy for one test, removed when the test is over. */
  copy(): string;
  copyTo(folder: string): void;
}

/** Prepares a folder once for a file of tests; each test works on a copy. */
export function preparedFolder(make: (folder: string) => void | Promise<void>): PreparedFolder {
  let original = "";
  beforeAll(async () => {
    original = newFolder();
    await make(original);
  });
  afterAll(() => rmSync(original, { recursive: true, force: true }));
  const copyTo = (folder: string) => cpSync(original, folder, { recursive: true });
  return {
    copyTo,
    copy() {
      const folder = newFolder();
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      copyTo(folder);
      return folder;
    },
  };
}

function newFolder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), "signoff-prepared-")));
}
