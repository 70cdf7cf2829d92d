import { openClusterPool } from "./open-pool.ts";
import { clusterSchema, projectTriggers } from "./queue-schema.ts";

/** Creates what workers share, and lets the runs of a project be queued. Harmless if it exists. */
export async function migrateQueue(url: string, project?: string): Promise<void> {
  const { runMigrations } = await import("graphile-worker");
  const { pool } = await openClusterPool(url, 2);
  try {
    await runMigrations({ pgPool: pool });
    const client = await pool.connect();
    try {
      await client.query("BEGIN");
      await client.query("SELECT pg_advisory_xact_lock(hashtextextended('signoff', 0))");
      await client.query(clusterSchema);
      if (project !== undefined) {
        await client.query(projectTriggers(client.escapeIdentifier(project)));
      }
      await client.query("COMMIT");
    } finally {
      client.release();
    }
  } finally {
    await pool.end();
  }
}
