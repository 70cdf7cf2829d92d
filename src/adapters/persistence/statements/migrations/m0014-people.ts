/**
 * Who may use a shared studio. A session belongs to the token it was opened with, so that it ends with it. `attention`
 * says who has what open to decide on it.
 */
export const m0014People = `
CREATE TABLE people (
  name TEXT NOT NULL PRIMARY KEY,
  role TEXT NOT NULL,
  token_digest TEXT NOT NULL UNIQUE,
  added_at TEXT NOT NULL
) STRICT;
CREATE TABLE sessions (
  digest TEXT NOT NULL PRIMARY KEY,
  token_digest TEXT NOT NULL,
  expires_at TEXT NOT NULL
) STRICT;
CREATE TABLE attention (
  item TEXT NOT NULL,
  name TEXT NOT NULL,
  until TEXT NOT NULL,
  PRIMARY KEY (item, name)
) STRICT;
`;
