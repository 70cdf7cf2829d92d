import { includes, type PersonRole } from "../domain/people/role.ts";
import { instantFromMillis, millisOf } from "../domain/values/instant.ts";
import type { Author } from "../orchestration/drafting/rule-on-draft.ts";
import type { PeopleRepo, Person } from "../ports/people-repo.ts";
import { type Access, cookieText, isSame, keyOf } from "./access.ts";
import { HttpProblem } from "./http-problem.ts";
import { newSecret, secretDigest } from "./secrets.ts";
import type { StudioParts } from "./studio-parts.ts";

/** Who makes a request: the operator, who started the server, or a person with a token of their own. */
export interface Actor {
  readonly author: Author;
  readonly role: PersonRole;
  readonly isOperator: boolean;
}

const sessionSeconds = 12 * 60 * 60;

/** The people of a server, and what they may do: the one place that decides it. */
export class Actors {
  readonly #access: Access;
  readonly #parts: StudioParts;

  constructor(access: Access, parts: StudioParts) {
    this.#access = access;
    this.#parts = parts;
  }

  /** Who sends this, if the role is enough for what it asks. */
  async require(headers: Headers, needed: PersonRole): Promise<Actor> {
    const actor = await this.find(headers);
    if (actor === undefined) throw tokenMissing();
    if (!includes(actor.role, needed)) throw await this.#roleMissing(actor, needed);
    return actor;
  }

  async find(headers: Headers): Promise<Actor | undefined> {
    const { token, cookie } = keyOf(this.#access, headers);
    if (token !== undefined) {
      if (isSame(token, this.#access.token)) return this.#operator();
      return actorOf(await this.#read((people) => people.byToken(secretDigest(token))));
    }
    if (cookie === undefined) return undefined;
    if (isSame(cookie, this.#access.session)) return this.#operator();
    const now = this.#parts.clock.now();
    return actorOf(await this.#read((people) => people.bySession(secretDigest(cookie), now)));
  }

  /** Exchanges a token for a cookie. */
  async signIn(token: string, headers: Headers): Promise<string> {
    if (isSame(token, this.#access.token)) {
      return cookieText(this.#access, headers, { value: this.#access.session });
    }
    const tokenDigest = secretDigest(token);
    if ((await this.#read((people) => people.byToken(tokenDigest))) === undefined) {
      throw tokenWrong();
    }
    const value = newSecret();
    const now = this.#parts.clock.now();
    const expiresAt = instantFromMillis(millisOf(now) + sessionSeconds * 1000);
    await this.#parts.source.store.transaction(({ people }) =>
      people.openSession({ digest: secretDigest(value), tokenDigest, now, expiresAt }),
    );
    return cookieText(this.#access, headers, { value, seconds: sessionSeconds });
  }

  /** Ends the session of this browser, and takes its cookie away. */
  async signOut(headers: Headers): Promise<string> {
    const { cookie } = keyOf(this.#access, headers);
    if (cookie !== undefined) {
      await this.#parts.source.store.transaction(({ people }) =>
        people.closeSession(secretDigest(cookie)),
      );
    }
    return cookieText(this.#access, headers, { value: "", seconds: 0 });
  }

  /** Aborts when this request would be refused if it were made again: the session ended or the token was revoked. */
  whileAllowed(headers: Headers, needed: PersonRole, client: AbortSignal): AbortSignal {
    const over = new AbortController();
    const signal = AbortSignal.any([client, over.signal]);
    const watch = async (): Promise<void> => {
      while (!signal.aborted) {
        await this.#parts.clock.sleep(recheckMillis, signal);
        const actor = await this.find(headers);
        if (actor === undefined || !includes(actor.role, needed)) over.abort();
      }
    };
    // A store that does not answer is no reason to end the stream; the client's next request is checked again.
    void watch().catch(() => undefined);
    return signal;
  }

  #operator(): Actor {
    return { author: this.#parts.author, role: "run", isOperator: true };
  }

  #read<T>(work: (people: PeopleRepo) => Promise<T>): Promise<T> {
    return this.#parts.source.store.read(({ people }) => work(people));
  }

  async #roleMissing({ author }: Actor, needed: PersonRole): Promise<HttpProblem> {
    const able = (await this.#read((people) => people.list()))
      .filter(({ role }) => includes(role, needed))
      .map(({ name }) => name);
    const hint =
      able.length === 0 ? "Ask whoever runs this studio." : `${able.join(", ")} can do this.`;
    return new HttpProblem(403, {
      code: "role-missing",
      message: `${author.by} does not have the role \`${needed}\` here.`,
      hint,
    });
  }
}

const recheckMillis = 2_000;

function actorOf(person: Person | undefined): Actor | undefined {
  if (person === undefined) return undefined;
  const { name, role } = person;
  return { author: { by: name, knownHow: "token" }, role, isOperator: false };
}

/** The author of an act. Only the operator can name another person; everyone else acts in their own name. */
export function authorOfAct({ author, isOperator }: Actor, by: string | undefined): Author {
  if (by === undefined || by === author.by) return author;
  if (isOperator) return { by, knownHow: "request" };
  throw new HttpProblem(403, {
    code: "name-not-yours",
    message: `${author.by} cannot decide in the name of ${by}.`,
    hint: "Leave out `by`: the token says who decides.",
  });
}

function tokenMissing(): HttpProblem {
  return new HttpProblem(401, {
    code: "token-missing",
    message: "A valid token is required.",
    hint: "Open the address that `signoff studio` printed; each start has a new token. If you have a token of your own, sign in with it.",
    headers: { "www-authenticate": 'Bearer realm="signoff"' },
  });
}

function tokenWrong(): HttpProblem {
  return new HttpProblem(401, {
    code: "token-wrong",
    message: "That token is invalid or expired.",
    hint: "Open the address that `signoff studio` printed last, or ask for a new token of your own.",
  });
}
