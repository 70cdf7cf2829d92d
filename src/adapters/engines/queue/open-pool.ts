import type { Client, Pool } from "pg";

/** Connections for what workers share; projects have connections of their own. */
export interface ClusterPool {
  readonly pool: Pool;
  /** A connection that is not shared, for locks and messages. */
  connect(): Promise<Client>;
}

export async function openClusterPool(url: string, connections: number): Promise<ClusterPool> {
  const { default: pg } = await import("pg");
  const config = {
    connectionString: url,
    application_name: "signoff worker",
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  };
  const pool = new pg.Pool({ ...config, max: connections });
  // A connection that breaks while it is idle is replaced by the next one that is needed.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return {
    pool,
    async connect() {
      const client = new pg.Client(config);
      client.on("error", () => undefined);
      await client.connect();
      return client;
    },
  };
}

/** The projects of the database that this user may use. */
export async function listProjects(pool: Pick<Pool, "query">): Promise<readonly string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT n.nspname AS name FROM pg_trigger t
     JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE t.tgname = 'run_changed' AND has_schema_privilege(n.oid, 'USAGE') ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}
