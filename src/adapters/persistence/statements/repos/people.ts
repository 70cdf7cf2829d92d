import type { AtWork, PeopleRepo, Person } from "../../../../ports/people-repo.ts";
import { selectRows } from "../rows.ts";
import { change, get, storeTime, type Unit } from "../unit.ts";
import type { UnitsOf } from "./units-of.ts";

const person = "SELECT p.name, p.role, p.added_at FROM people p";

export const peopleRepo: UnitsOf<PeopleRepo> = {
  *add({ name, role, addedAt }, tokenDigest) {
    const sql = `INSERT INTO people (name, role, token_digest, added_at) VALUES (?, ?, ?, ?)
      ON CONFLICT (name) DO NOTHING`;
    return (yield* change(sql, name, role, tokenDigest, addedAt)) > 0;
  },
  *remove(name) {
    const found = yield* get<{ readonly token_digest: string }>(
      "SELECT token_digest FROM people WHERE name = ?",
      name,
    );
    if (found === undefined) return false;
    yield* change("DELETE FROM sessions WHERE token_digest = ?", found.token_digest);
    yield* change("DELETE FROM attention WHERE name = ?", name);
    return (yield* change("DELETE FROM people WHERE name = ?", name)) > 0;
  },
  *list() {
    return yield* selectRows<Person>(`${person} ORDER BY p.name`);
  },
  *byToken(tokenDigest) {
    return yield* first(`${person} WHERE p.token_digest = ?`, tokenDigest);
  },
  *openSession({ digest, tokenDigest, now, expiresAt }) {
    yield* change("DELETE FROM sessions WHERE expires_at <= ?", yield* storeTime(now));
    yield* change(
      "INSERT INTO sessions (digest, token_digest, expires_at) VALUES (?, ?, ?)",
      ...[digest, tokenDigest, expiresAt],
    );
  },
  *bySession(digest, now) {
    return yield* first(
      `${person} JOIN sessions s ON s.token_digest = p.token_digest
       WHERE s.digest = ? AND s.expires_at > ?`,
      ...[digest, yield* storeTime(now)],
    );
  },
  *closeSession(digest) {
    yield* change("DELETE FROM sessions WHERE digest = ?", digest);
  },
  *attend({ item, name, until, now }) {
    yield* change("DELETE FROM attention WHERE until <= ?", yield* storeTime(now));
    yield* change(
      `INSERT INTO attention (item, name, until) VALUES (?, ?, ?)
       ON CONFLICT (item, name) DO UPDATE SET until = excluded.until`,
      ...[item, name, until],
    );
  },
  *leave({ item, name }) {
    yield* change("DELETE FROM attention WHERE item = ? AND name = ?", item, name);
  },
  *atWork(now) {
    return yield* selectRows<AtWork>(
      "SELECT item, name FROM attention WHERE until > ? ORDER BY item, name",
      yield* storeTime(now),
    );
  },
};

function* first(sql: string, ...values: string[]): Unit<Person | undefined> {
  return (yield* selectRows<Person>(sql, ...values))[0];
}
