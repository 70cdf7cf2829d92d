import { instantFromMillis, millisOf } from "../../domain/values/instant.ts";
import type { Actors } from "../actors.ts";
import { type HandlersFor, ok } from "../handler.ts";
import type { StudioParts } from "../studio-parts.ts";

type PeopleRoutes =
  | `${"GET" | "POST" | "DELETE"} /api/v1/session`
  | `${"GET" | "POST"} /api/v1/attention`;

const attentionMillis = 60_000;

export function peopleHandlers(
  { source: { store }, clock }: StudioParts,
  actors: Actors,
): HandlersFor<PeopleRoutes> {
  return {
    "GET /api/v1/session": async ({ actor: { author, role, isOperator } }) => {
      const people = await store.read((repos) => repos.people.list());
      return ok({ name: author.by, role, isOperator, people });
    },
    "POST /api/v1/session": async ({ body, headers }) => ({
      status: 204,
      headers: { "set-cookie": await actors.signIn(body.token, headers) },
    }),
    "DELETE /api/v1/session": async ({ headers }) => ({
      status: 204,
      headers: { "set-cookie": await actors.signOut(headers) },
    }),
    "GET /api/v1/attention": async ({ author: { by } }) => {
      const all = await store.read((repos) => repos.people.atWork(clock.now()));
      return ok({ attention: all.filter(({ name }) => name !== by) });
    },
    "POST /api/v1/attention": async ({ body: { item, isOver }, author: { by: name } }) => {
      const now = clock.now();
      const until = instantFromMillis(millisOf(now) + attentionMillis);
      await store.transaction(({ people }) =>
        isOver === true ? people.leave({ item, name }) : people.attend({ item, name, until, now }),
      );
      return { status: 204 };
    },
  };
}
