/**
 * A lease is named by its epoch and by a random token. A database that was restored from a backup hands out epochs a
 * second time; a holder from before it then still writes nothing.
 */
export const m0012LeaseTokens = "ALTER TABLE runs ADD COLUMN holder_token TEXT;";
