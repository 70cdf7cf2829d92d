/** What workers know a run by; NULL for a run that is executed where the project's folder is. */
export const m0013Tasks = "ALTER TABLE runs ADD COLUMN task TEXT;";
