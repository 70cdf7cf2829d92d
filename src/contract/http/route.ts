import type { z } from "zod";
import type { PersonRole } from "../../domain/people/role.ts";
import type { Wire, WireInput } from "./wire-types.ts";

type Shape = z.ZodObject;

/** What a route answers with one status: a JSON shape, a stream of events, plain text, or nothing. */
export type RouteAnswer = Shape | "events" | "text" | "none";

/** One line of the table. Names in path, query and body are camelCase here and snake_case on the wire. */
export interface Route {
  readonly summary: string;
  /** Answered without a token. */
  readonly isPublic?: true;
  /** What a person must be allowed to do; `look` where nothing is said, which only a GET may leave out. */
  readonly role?: PersonRole;
  readonly params?: Shape;
  readonly query?: Shape;
  readonly body?: Shape;
  /** Largest body, for a route that takes whole texts. */
  readonly mostBytes?: number;
  /** Takes an `Idempotency-Key`: the same key and body are one creation, for ever. */
  readonly isCreate?: true;
  readonly answers: { readonly [status: number]: RouteAnswer };
  /** Codes of problems that this route may answer beyond the general ones. */
  readonly problems?: readonly string[];
}

/** The lines of a table. One that changes something has to say which role it needs, or does not compile. */
export interface RouteTable {
  readonly [reading: `GET ${string}`]: Route;
  readonly [writing: `POST ${string}` | `DELETE ${string}`]: Route & { readonly role: PersonRole };
}

type PartOf<R, Name extends string> = R extends { readonly [Key in Name]: infer S extends Shape }
  ? z.output<S>
  : Record<never, never>;

type JsonAnswer<R extends Route> = Extract<R["answers"][keyof R["answers"]], Shape>;

/** What a client sends and receives, for one line of the table. */
export type CallOf<R extends Route> = {
  readonly [Name in "params" | "query" | "body" as R extends { readonly [Key in Name]: Shape }
    ? Name
    : never]: WireInput<PartOf<R, Name>>;
};
export type AnswerOf<R extends Route> =
  JsonAnswer<R> extends infer S ? (S extends Shape ? Wire<z.output<S>> : never) : never;

/** What a handler is given. */
export interface Given<R extends Route> {
  readonly params: PartOf<R, "params">;
  readonly query: PartOf<R, "query">;
  readonly body: PartOf<R, "body">;
}
