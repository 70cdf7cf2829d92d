import { all, type Unit } from "./unit.ts";

/** Columns that name a row of `texts`; they are not foreign keys. */
export const textColumns: readonly (readonly [table: string, column: string])[] = [
  ["jobs", "input_text"],
  ["runs", "ending_text"],
  ["calls", "value_text"],
  ["calls", "system_text"],
  ["calls", "prompt_text"],
  ["events", "data_text"],
  ["review_runs", "raw_text"],
  ["gate_reviews", "body_text"],
  ["blob_texts", "content_text"],
];

/** What the record names and does not have. */
export function* findDamage(): Unit<readonly string[]> {
  const found: string[] = [];
  for (const [table, column] of textColumns) {
    const missing = yield* all<{ digest: string }>(
      `SELECT DISTINCT n.${column} AS digest FROM ${table} n
       LEFT JOIN texts t ON t.digest = n.${column}
       WHERE n.${column} IS NOT NULL AND t.digest IS NULL LIMIT 10`,
    );
    found.push(
      ...missing.map(({ digest }) => `${table} names the text ${digest}, which is missing`),
    );
  }
  return found;
}
