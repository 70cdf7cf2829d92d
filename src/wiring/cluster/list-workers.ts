import { listProjects, openClusterPool } from "../../adapters/engines/queue/open-pool.ts";
import { type ListedWorker, listWorkers } from "../../adapters/engines/queue/worker-registry.ts";
import { clusterError } from "./cluster-error.ts";

export type { ListedWorker };

export async function listDatabaseWorkers(url: string): Promise<readonly ListedWorker[]> {
  const { pool } = await openClusterPool(url, 1);
  try {
    return await listWorkers(pool, await listProjects(pool));
  } catch (error) {
    throw clusterError(error, url);
  } finally {
    await pool.end();
  }
}
