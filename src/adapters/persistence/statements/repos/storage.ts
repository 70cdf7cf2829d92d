import type { StorageRepo } from "../../../../ports/repos.ts";
import { get, type Sql, together, type Unit } from "../unit.ts";
import type { UnitsOf } from "./units-of.ts";

const bytes: Sql = {
  sqlite: `SELECT p.page_count * s.page_size AS bytes, f.freelist_count * s.page_size AS free_bytes
    FROM pragma_page_count p, pragma_page_size s, pragma_freelist_count f`,
  postgres: `SELECT SUM(pg_total_relation_size(c.oid)) AS bytes, 0 AS free_bytes
    FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'`,
};

export const storageRepo: UnitsOf<StorageRepo> = {
  *size() {
    const [size, runs, calls, events, texts] = yield* together(
      get<{ bytes: number; free_bytes: number }>(bytes),
      count("runs"),
      count("calls"),
      count("events"),
      count("texts"),
    );
    return {
      bytes: size?.bytes ?? 0,
      freeBytes: size?.free_bytes ?? 0,
      runs,
      calls,
      events,
      texts,
    };
  },
};

function* count(table: string): Unit<number> {
  return (yield* get<{ rows: number }>(`SELECT COUNT(*) AS rows FROM ${table}`))?.rows ?? 0;
}
