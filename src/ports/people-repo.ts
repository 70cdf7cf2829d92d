import type { PersonRole } from "../domain/people/role.ts";
import type { Instant } from "../domain/values/instant.ts";

export interface Person {
  readonly name: string;
  readonly role: PersonRole;
  readonly addedAt: Instant;
}

/** Somebody who has something open to decide on it. */
export interface AtWork {
  readonly item: string;
  readonly name: string;
}

/** Who may use a shared studio. Tokens and cookies are kept as digests only. */
export interface PeopleRepo {
  /** False if the name is taken; nothing changes then. */
  add(person: Person, tokenDigest: string): Promise<boolean>;
  /** The token and every session that was opened with it end at once. False if there is no person of that name. */
  remove(name: string): Promise<boolean>;
  /** By name. */
  list(): Promise<readonly Person[]>;
  byToken(tokenDigest: string): Promise<Person | undefined>;
  /** Expired sessions are removed on the way. */
  openSession(session: {
    readonly digest: string;
    readonly tokenDigest: string;
    readonly now: Instant;
    readonly expiresAt: Instant;
  }): Promise<void>;
  /** Who opened the session, while it lasts and the token is valid. */
  bySession(digest: string, now: Instant): Promise<Person | undefined>;
  closeSession(digest: string): Promise<void>;
  /** Until then the item is shown as this person's; calling it again extends it. */
  attend(work: AtWork & { readonly until: Instant; readonly now: Instant }): Promise<void>;
  leave(work: AtWork): Promise<void>;
  /** By item and name. */
  atWork(now: Instant): Promise<readonly AtWork[]>;
}
