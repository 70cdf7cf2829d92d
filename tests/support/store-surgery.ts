import { join } from "node:path";
import Database from "better-sqlite3";

/** Changes a project's store behind the program's back, as another version or a careless hand would. */
export function operateOnStore(folder: string, sql: string): void {
  const database = new Database(join(folder, ".signoff", "signoff.db"));
  try {
    database.exec(sql);
  } finally {
    database.close();
  }
}
