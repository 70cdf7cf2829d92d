import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
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

/** One batch of files: all temporaries synced, all renamed, one sync per folder. */
export function writeFilesBarely(files) {
  const folders = new Set(files.map(({ path }) => dirname(path)));
  for (const folder of folders) mkdirSync(folder, { recursive: true });
  for (const { path, content } of files) {
    const file = openSync(`${path}.tmp`, "w");
    writeSync(file, content);
    fsyncSync(file);
    closeSync(file);
  }
  for (const { path } of files) renameSync(`${path}.tmp`, path);
  for (const folder of folders) {
    const handle = openSync(folder, "r");
    fsyncSync(handle);
    closeSync(handle);
  }
}
