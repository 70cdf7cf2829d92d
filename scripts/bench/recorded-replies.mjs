import Database from "better-sqlite3";

/** The reply texts of a run in the order they were recorded. */
export function recordedReplies(path, run) {
  const database = new Database(path, { readonly: true });
  try {
    return database
      .prepare("SELECT reply FROM calls WHERE run = ? ORDER BY rowid")
      .pluck()
      .all(run)
      .map((reply) => (reply.startsWith('"') ? JSON.parse(reply) : reply));
  } finally {
    database.close();
  }
}
