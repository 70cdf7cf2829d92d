import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import Database from "better-sqlite3";
import { WorkflowError } from "../../../domain/values/workflow-error.ts";
import type { Exclusively } from "../../../ports/exclusively.ts";
import { isBusy, storeError } from "./store-error.ts";

const pauseMillis = 5;

/**
 * Locks in a folder of the checkout: one empty SQLite file per name, locked by an open write transaction. The
 * operating system releases it when the process ends, however it ends, so no lock can be left behind.
 */
export function createCheckoutLock(
  folder: string,
  { waitMillis = 10_000 }: { readonly waitMillis?: number } = {},
): Exclusively {
  const oneByOne = createProcessLock();
  return (name, work) =>
    oneByOne(name, async () => {
      const path = join(folder, `${encodeURIComponent(name)}.lock`);
      const file = openLockFile(folder, path);
      try {
        await acquire(file, { name, path, waitMillis });
        return await work();
      } finally {
        // Closing releases the lock.
        file.close();
      }
    });
}

/** The same guarantee for a project in memory: no other process can see its files. */
export function createProcessLock(): Exclusively {
  const last = new Map<string, Promise<unknown>>();
  return async (name, work) => {
    const mine = (last.get(name) ?? Promise.resolve()).then(work);
    const settled = mine.catch(() => undefined);
    last.set(name, settled);
    try {
      return await mine;
    } finally {
      if (last.get(name) === settled) last.delete(name);
    }
  };
}

function openLockFile(folder: string, path: string): Database.Database {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return new Database(path, { timeout: 0 });
  } catch (error) {
    throw storeError(error, path);
  }
}

async function acquire(
  file: Database.Database,
  about: { readonly name: string; readonly path: string; readonly waitMillis: number },
): Promise<void> {
  for (let waited = 0; ; waited += pauseMillis) {
    try {
      file.exec("BEGIN IMMEDIATE");
      return;
    } catch (error) {
      if (!isBusy(error)) throw storeError(error, about.path);
      if (waited >= about.waitMillis) throw heldTooLong(about.name, error);
    }
    await pause(pauseMillis);
  }
}

function heldTooLong(name: string, cause: unknown): WorkflowError {
  return new WorkflowError(`Another process has held the lock "${name}" for too long.`, {
    code: "checkout-busy",
    retryable: true,
    facts: { lock: name },
    hint: "Try again; if it keeps failing, look for a hanging signoff process.",
    cause,
  });
}
