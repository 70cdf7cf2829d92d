import { env } from "node:process";
import type { TestProject } from "vitest/node";
import { startPostgres } from "./postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A superuser's URL of the server that the files of this project share. */
    readonly postgres: string;
  }
}

/** One server for all files of the project `cluster`: the running one that a URL names, else one of our own. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { SIGNOFF_TEST_DATABASE_URL: running } = env;
  if (running !== undefined && running !== "") {
    project.provide("postgres", running);
    return async () => undefined;
  }
  const server = await startPostgres();
  project.provide("postgres", server.url);
  return () => server.remove();
}
