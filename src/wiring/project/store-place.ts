import type { ProjectStore } from "../../ports/store.ts";
import type { Environment } from "../settings/environment.ts";

/** Where a project keeps its record. */
export interface StorePlace {
  readonly root: string;
  readonly environment: Pick<Environment, "databaseUrl">;
  /** A store of the caller's own in place of the project's. */
  readonly store?: ProjectStore | undefined;
}
