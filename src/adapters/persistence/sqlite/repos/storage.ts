import type { StorageRepo } from "../../../../ports/repos.ts";
import type { Connection } from "../connection.ts";

export function storageRepo(connection: Connection): StorageRepo {
  return {
    async size() {
      const count = (table: string) =>
        connection.get<{ rows: number }>(`SELECT COUNT(*) AS rows FROM ${table}`)?.rows ?? 0;
      const pages = connection.get<{ page_count: number }>("PRAGMA page_count")?.page_count ?? 0;
      const pageBytes = connection.get<{ page_size: number }>("PRAGMA page_size")?.page_size ?? 0;
      const free =
        connection.get<{ freelist_count: number }>("PRAGMA freelist_count")?.freelist_count ?? 0;
      return {
        bytes: pages * pageBytes,
        freeBytes: free * pageBytes,
        runs: count("runs"),
        calls: count("calls"),
        events: count("events"),
        texts: count("texts"),
      };
    },
  };
}
