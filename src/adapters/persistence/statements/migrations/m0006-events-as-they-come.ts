/**
 * Events are appended to their table and found by an index. Many are longer than a page, and in a table kept in key
 * order SQLite spreads those over more pages and moves them more often.
 */
export const m0006EventsAsTheyCome = `
ALTER TABLE events RENAME TO events_in_key_order;
CREATE TABLE events (
  run TEXT NOT NULL REFERENCES runs (run),
  seq INTEGER NOT NULL,
  kind TEXT NOT NULL,
  data TEXT,
  data_text TEXT,
  PRIMARY KEY (run, seq)
) STRICT;
INSERT INTO events (run, seq, kind, data, data_text)
  SELECT run, seq, kind, data, data_text FROM events_in_key_order ORDER BY run, seq;
DROP TABLE events_in_key_order;
`;
