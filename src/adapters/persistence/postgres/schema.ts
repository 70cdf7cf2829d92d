/** A migration in PostgreSQL's dialect. Texts sort by their bytes, as in SQLite and in JavaScript. */
export function postgresSchema(sql: string): string {
  return sql
    .replace(/\) STRICT(?:, WITHOUT ROWID)?;/gu, ");")
    .replace(/\bBLOB\b/gu, "BYTEA")
    .replace(/\bINTEGER\b/gu, "BIGINT")
    .replace(/\bTEXT\b/gu, 'TEXT COLLATE "C"');
}
