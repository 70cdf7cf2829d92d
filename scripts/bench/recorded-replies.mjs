import Database from "better-sqlite3";

/** The reply texts of a run in the order they were recorded. */
export function recordedReplies(path, run) {
  const database = new Database(path, { readonly: true });
  try {
    return database
      .prepare("SELECT value FROM calls WHERE run = ? ORDER BY rowid")
      .all(run)
      .map(({ value }) => JSON.parse(value).text);
  } finally {
    database.close();
  }
}
