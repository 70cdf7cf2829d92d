import type { z } from "zod";
import type { Frozen } from "../contract/documents/snake-case.ts";
import type { Given, Route } from "../contract/http/route.ts";
import type { RouteName, Routes } from "../contract/http/routes.ts";
import type { Json } from "../domain/values/json.ts";
import type { Author } from "../orchestration/drafting/rule-on-draft.ts";
import type { Actor } from "./actors.ts";
import type { PackedJson } from "./packed-json.ts";

/** What a handler gets besides the validated parts of the request. */
export interface RequestFacts {
  readonly requestId: string;
  readonly headers: Headers;
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal;
  readonly idempotencyKey?: string;
  readonly actor: Actor;
  /** Whose act it is: the actor's, unless the operator names another person. */
  readonly author: Author;
}

type Headed = { readonly headers?: { readonly [name: string]: string } };

type ReplyWith<Status, A> = A extends z.ZodObject
  ? Headed &
      (
        | { readonly status: Status; readonly value: Frozen<z.output<A>> }
        /** Already in wire format. */
        | { readonly status: Status; readonly wire: Json }
        | { readonly status: Status; readonly packed: PackedJson }
      )
  : A extends "text"
    ? Headed & { readonly status: Status; readonly text: string }
    : A extends "none"
      ? Headed & { readonly status: Status }
      : Response;

type ReplyOf<R extends Route> = {
  [Status in keyof R["answers"]]: ReplyWith<Status, R["answers"][Status]>;
}[keyof R["answers"]];

export type Handler<Name extends RouteName> = (
  given: Given<Routes[Name]> & RequestFacts,
) => Promise<ReplyOf<Routes[Name]>>;

/** One handler for each route; a missing one does not compile. */
export type Handlers = { readonly [Name in RouteName]: Handler<Name> };

/** The handlers of the routes that match. */
export type HandlersFor<Names extends string> = Pick<Handlers, Extract<RouteName, Names>>;

export function ok<Value>(value: Value): { readonly status: 200; readonly value: Value } {
  return { status: 200, value };
}
