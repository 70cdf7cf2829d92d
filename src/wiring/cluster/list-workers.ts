import { clusterError } from "./cluster-error.ts";
import { listProjects, openClusterPool } from "../../adapters/engines/queue/open-pool.ts";
import { type LivingWorker, listWorkers } from "../../adapters/engines/queue/worker-registry.ts";

export type { LivingWorker };

export async function listLivingWorkers(url: string): Promise<readonly LivingWorker[]> {
  const { pool } = await openClusterPool(url, 1);
  try {
    return await listWorkers(pool, await listProjects(pool));
  } catch (error) {
    throw clusterError(error, url);
  } finally {
    await pool.end();
  }
}
