import type { Environment } from "../settings/environment.ts";

/** Where a project keeps its record. */
export interface StorePlace {
  readonly root: string;
  readonly environment: Pick<Environment, "databaseUrl">;
}
