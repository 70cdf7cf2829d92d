import { join } from "node:path";
import { inflateRawSync } from "node:zlib";
import Database from "better-sqlite3";

/** Changes a project's store directly, as another version or a careless person might. */
export function operateOnStore(folder: string, sql: string): void {
  const database = new Database(join(folder, ".signoff", "signoff.db"));
  try {
    database.exec(sql);
  } finally {
    database.close();
  }
}

/** Everything that a project's store holds, long texts unpacked, as one text to search in. */
export function wordsInStore(folder: string): string {
  const database = new Database(join(folder, ".signoff", "signoff.db"), { readonly: true });
  try {
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    const rows = (tables as { name: string }[]).flatMap(({ name }) =>
      database.prepare(`SELECT * FROM "${name}"`).all(),
    );
    return (rows as object[]).flatMap((row) => Object.values(row).map(readable)).join("\n");
  } finally {
    database.close();
  }
}

function readable(cell: unknown): string {
  if (!Buffer.isBuffer(cell)) return String(cell);
  try {
    return inflateRawSync(cell).toString("utf8");
  } catch {
    return cell.toString("latin1");
  }
}
