import {
  backUpStore,
  type Recovered,
  recoverStore,
  restoreStore,
} from "../../adapters/persistence/sqlite/rescue-store.ts";
import { requireOwnFolder, storePath } from "./project-store.ts";

/** A copy of the store in a file of the user's choice, made while other processes may write. */
export function backUpProject(root: string, target: string): void {
  requireOwnFolder(root);
  backUpStore(storePath(root), target);
}

/** Returns where the store that was replaced is kept. */
export function restoreProject(root: string, backup: string): string | undefined {
  requireOwnFolder(root);
  return restoreStore(storePath(root), backup);
}

/** Replaces a damaged store by what can still be read of it. */
export function recoverProject(root: string): Recovered {
  requireOwnFolder(root);
  return recoverStore(storePath(root));
}
