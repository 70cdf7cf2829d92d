import type { Client, ClientBase } from "pg";
import { WorkflowError } from "../../../domain/values/workflow-error.ts";

/**
 * A pooler in transaction mode gives each transaction another session: listening, session locks and prepared statements
 * are lost. It makes up the process id that it reports, and hands one session to two connections that are both open.
 */
export async function requireSession(
  client: ClientBase,
  connect: () => Promise<Client>,
): Promise<void> {
  const { processID } = client as unknown as { readonly processID: number };
  const pid = await backendOf(client);
  if (pid === processID) return;
  const other = await connect();
  try {
    if ((await backendOf(other)) !== pid) return;
  } finally {
    await other.end();
  }
  throw new WorkflowError("the database is behind a connection pooler in transaction mode", {
    code: "store-pooled",
    hint: "Connect to PostgreSQL itself, or to a pooler in session mode: events and locks need sessions of their own.",
  });
}

/** The process of the server that answers. */
async function backendOf(client: ClientBase): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  return rows[0]?.pid;
}
