import { join } from "node:path";
import Database from "better-sqlite3";

/** The least that a power-safe record can be: one table, one row and one synced commit per reply. */
export function openBareStore(folder) {
  const database = new Database(join(folder, "bare.db"));
  database.pragma("journal_mode = WAL");
  database.pragma("synchronous = FULL");
  database.exec("CREATE TABLE replies (id INTEGER PRIMARY KEY, text TEXT NOT NULL)");
  const insert = database.prepare("INSERT INTO replies (text) VALUES (?)");
  return {
    record: (text) => insert.run(text),
    close: () => database.close(),
  };
}
