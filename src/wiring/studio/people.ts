import type { PersonRole } from "../../domain/people/role.ts";
import { shellWord } from "../../domain/values/shell-word.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import { newSecret, secretDigest } from "../../http/secrets.ts";
import type { PeopleRepo, Person } from "../../ports/people-repo.ts";
import { checkedName } from "../project/author.ts";
import { createCrashPoints } from "../project/crash-points.ts";
import { openProjectStore, readStore } from "../project/project-store.ts";
import type { StorePlace } from "../project/store-place.ts";
import { clockOf } from "../project/system-clock.ts";
import type { Environment } from "../settings/environment.ts";

type Place = StorePlace & { readonly environment: Environment };

/** Returns the person's token, which is kept nowhere. */
export async function addPerson(place: Place, given: string, role: PersonRole): Promise<string> {
  const name = checkedName(given, "The name");
  const token = newSecret();
  const person: Person = { name, role, addedAt: clockOf(place.environment).now() };
  const isNew = await inStore(place, (people) => people.add(person, secretDigest(token)));
  if (isNew) return token;
  throw new ConfigurationError(`${name} already has a token.`, {
    code: "person-exists",
    facts: { name },
    hint: `For a new token or another role, first: \`signoff people remove ${shellWord(name)}\``,
  });
}

/** The token and every open session of the person end at once. */
export async function removePerson(place: Place, name: string): Promise<void> {
  if (await inStore(place, (people) => people.remove(name))) return;
  throw new ConfigurationError(`No person called ${name} has a token.`, {
    code: "person-unknown",
    facts: { name },
    hint: "See `signoff people list`.",
  });
}

export function listPeople(place: Place): Promise<readonly Person[]> {
  return readStore(place, async (store) =>
    store === undefined ? [] : store.read(({ people }) => people.list()),
  );
}

async function inStore<T>(place: Place, work: (people: PeopleRepo) => Promise<T>): Promise<T> {
  const store = await openProjectStore(place, createCrashPoints(place.environment));
  try {
    return await store.transaction(({ people }) => work(people));
  } finally {
    await store.close();
  }
}
