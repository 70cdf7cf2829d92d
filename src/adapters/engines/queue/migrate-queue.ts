import { openClusterPool } from "./open-pool.ts";
import { clusterSchema, prepareProject } from "./queue-schema.ts";

/** Creates what workers share, and lets the runs of a project be queued. Harmless if it exists. */
export async function migrateQueue(url: string, project?: string, grant?: string): Promise<void> {
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
        await client.query(prepareProject(client.escapeIdentifier(project)));
      }
      if (grant !== undefined) await client.query(grants(client.escapeIdentifier(grant)));
      await client.query("COMMIT");
    } finally {
      client.release();
    }
  } finally {
    await pool.end();
  }
}

/** What a worker or a command needs of the queue, beside the rows of its project. */
function grants(role: string): string {
  const schemas = "signoff, graphile_worker";
  return `
GRANT USAGE ON SCHEMA ${schemas} TO ${role};
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schemas} TO ${role};
GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${schemas} TO ${role};
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${schemas} TO ${role};`;
}
