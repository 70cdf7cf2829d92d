import type { Client, ClientBase, ClientConfig, Pool } from "pg";
import { defined } from "../../../domain/values/defined.ts";
import { WorkflowError } from "../../../domain/values/workflow-error.ts";
import type { CrashPoints } from "../../../ports/crash-points.ts";
import { appliedTable, migrations } from "../statements/migrations/migrations.ts";
import { newerSchema } from "./migrate.ts";
import { postgresError } from "./postgres-error.ts";
import { PostgresStore } from "./postgres-store.ts";
import { requireSession } from "./require-session.ts";

export interface PostgresLocation {
  /** `postgresql://…`; what it leaves out comes from the usual `PG…` variables. */
  readonly url: string;
  /** The project's schema. */
  readonly schema: string;
  readonly connections?: number;
  /** How long work is repeated while the database is away. */
  readonly patienceMillis?: number;
  /** See `Reach.refused`. */
  readonly refused?: (why: Error) => void;
  readonly crash?: CrashPoints;
}

/** Opens the record of a project; refuses a schema that is missing, too old or too new. */
export async function openPostgres(location: PostgresLocation): Promise<PostgresStore> {
  const { default: pg } = await import("pg");
  const { schema, connections: max = 10, patienceMillis = 30_000, refused, crash } = location;
  const config = clientConfig(location, pg.types.getTypeParser);
  const other = new pg.Client(config);
  const onConnect = sessionsOf(other, schema);
  const pool = new pg.Pool({ ...config, max, idleTimeoutMillis: 10_000, onConnect });
  // A connection that breaks while idle is replaced by the next one that is needed.
  pool.on("error", () => undefined);
  const place = placeOf(other, schema);
  try {
    await requireSchema(pool, schema);
  } catch (error) {
    await pool.end();
    throw postgresError(error, place);
  }
  return new PostgresStore(pool, { place, patienceMillis, ...defined({ refused }) }, crash);
}

/** Runs the work on one connection of its own, as the commands that change the schema need it. */
export async function withClient<T>(
  location: Pick<PostgresLocation, "url" | "schema">,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const { default: pg } = await import("pg");
  const config = clientConfig(location, pg.types.getTypeParser);
  const client = new pg.Client({ ...config, pipeline: false } as ClientConfig);
  client.on("error", () => undefined);
  try {
    await client.connect();
    await sessionsOf(new pg.Client(config), location.schema)(client);
    return await work(client);
  } catch (error) {
    throw postgresError(error, placeOf(client, location.schema));
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Commits wait for the disk, whatever the server's default: without it an immediate stop of the server gives two holders
 * the same epoch. The server ends transactions of a frozen process and connections of an unplugged one, so that their locks
 * do not outlive the lease.
 */
const sessionSettings = {
  synchronous_commit: "on",
  idle_in_transaction_session_timeout: "15s",
  tcp_keepalives_idle: "10",
  tcp_keepalives_interval: "5",
  tcp_keepalives_count: "3",
};

/**
 * Prepares each new connection, after the first has shown that it is a session of its own. By statements, not as parameters
 * of the connection: poolers refuse or drop those.
 */
function sessionsOf(other: Client, schema: string): (client: ClientBase) => Promise<void> {
  const settings = Object.entries(sessionSettings).map(
    ([name, value]) => `SET ${name} = '${value}'`,
  );
  let checked: Promise<void> | undefined;
  return async (client) => {
    checked ??= requireSession(client, async () => {
      await other.connect();
      return other;
    });
    await checked;
    const path = `SET search_path = ${client.escapeIdentifier(schema)}`;
    await client.query([path, ...settings].join("; "));
  };
}

type Parser = (oid: number, format?: "text" | "binary") => unknown;
const wholeNumber = 20;
const decimal = 1700;

function clientConfig({ url }: Pick<PostgresLocation, "url">, parserOf: unknown): ClientConfig {
  return {
    connectionString: url,
    application_name: "signoff",
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    // Statements of one unit that do not need each other's results share a round trip.
    pipeline: true,
    types: {
      getTypeParser: ((oid, format) =>
        oid === wholeNumber || oid === decimal
          ? Number
          : (parserOf as Parser)(oid, format)) as Parser,
    },
  } as ClientConfig;
}

/** What people need to recognise the database, wherever it was named; never the user's password. */
function placeOf({ host, port, database }: Client, schema: string): string {
  return `${host}:${port}/${database ?? ""}, schema ${schema}`;
}

async function requireSchema(pool: Pool, schema: string): Promise<void> {
  const exists = await pool.query("SELECT to_regclass($1) AS found", [`${schema}.${appliedTable}`]);
  if (exists.rows[0]?.found === null) throw unprepared(`the database has no schema ${schema}`);
  const { rows } = await pool.query<{ name: string }>(`SELECT name FROM ${appliedTable}`);
  const applied = new Set(rows.map(({ name }) => name));
  const unknown = [...applied].filter((name) => !migrations.some((one) => one.name === name));
  // The schema is migrated first, then machines are updated one after the other: it may be one step ahead of this one.
  if (unknown.length > 1) throw newerSchema(unknown);
  const missing = migrations.filter(({ name }) => !applied.has(name));
  if (missing.length > 0) {
    throw unprepared(`the schema ${schema} lacks ${missing.map(({ name }) => name).join(", ")}`);
  }
}

function unprepared(what: string): WorkflowError {
  return new WorkflowError(what, {
    code: "store-not-migrated",
    hint: "Run `signoff store migrate` once, as a user of the database that may create tables.",
  });
}
