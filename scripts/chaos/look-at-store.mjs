import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";

/** States of the outermost runs and of all runs, read from a copy: the program itself has to meet what a kill left. */
export function lookAtStore(folder) {
  const store = join(folder, ".signoff", "signoff.db");
  if (!existsSync(store)) return { outer: [], all: [], loops: 0 };
  const copy = mkdtempSync(join(tmpdir(), "signoff-look-"));
  try {
    for (const end of ["", "-wal"])
      if (existsSync(store + end)) cpSync(store + end, join(copy, `look.db${end}`));
    const database = new Database(join(copy, "look.db"));
    try {
      return read(database);
    } finally {
      database.close();
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function read(database) {
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .pluck()
    .all();
  // Killed before its schema was committed.
  if (!tables.includes("runs")) return { outer: [], all: [], loops: 0 };
  const runs = database.prepare("SELECT kind, state, parent FROM runs").all();
  const loops = database
    .prepare(`SELECT count(*) FROM stage_entries WHERE data LIKE '%"loop-finished"%'`)
    .pluck();
  return { outer: runs.filter(({ parent }) => parent === null), all: runs, loops: loops.get() };
}
