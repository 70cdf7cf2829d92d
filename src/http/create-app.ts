import { Hono } from "hono";
import { compress } from "hono/compress";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { toWire } from "../contract/documents/snake-case.ts";
import { openApiDocument, splitRoute } from "../contract/http/open-api.ts";
import type { Given, Route, RouteAnswer } from "../contract/http/route.ts";
import { type RouteName, routes } from "../contract/http/routes.ts";
import { defined } from "../domain/values/defined.ts";
import type { Json } from "../domain/values/json.ts";
import { type Access, requireKnownHost, requireOwnOrigin } from "./access.ts";
import { type Actor, Actors, authorOfAct } from "./actors.ts";
import { apiDocsPage, apiDocsStyle } from "./api-docs.ts";
import type { Handlers, RequestFacts } from "./handler.ts";
import { draftHandlers } from "./handlers/draft-handlers.ts";
import { episodeHandlers } from "./handlers/episode-handlers.ts";
import { inboxHandlers } from "./handlers/inbox-handlers.ts";
import { noteHandlers } from "./handlers/note-handlers.ts";
import { packHandlers } from "./handlers/pack-handlers.ts";
import { peopleHandlers } from "./handlers/people-handlers.ts";
import { runHandlers } from "./handlers/run-handlers.ts";
import { sloganHandlers } from "./handlers/slogan-handlers.ts";
import { stageHandlers } from "./handlers/stage-handlers.ts";
import { surroundingsHandlers } from "./handlers/surroundings-handlers.ts";
import { HttpProblem, problemJson, problemOf } from "./http-problem.ts";
import { type PackedJson, packedResponse } from "./packed-json.ts";
import { readRequest } from "./read-request.ts";
import { securityHeaders } from "./security-headers.ts";
import type { StudioFiles } from "./studio-files.ts";
import type { StudioParts } from "./studio-parts.ts";

interface AppEnv {
  Variables: { requestId: string };
}

export interface StudioApp {
  readonly parts: StudioParts;
  readonly access: Access;
  readonly files: StudioFiles;
}

/** The whole server except its socket, with every access rule. */
export function createApp({ parts, access, files }: StudioApp): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const refuse = (error: unknown, requestId: string): Response => {
    const problem = problemOf(error);
    if (problem.status >= 500 && problem !== error) parts.report(error, requestId);
    const headers = { ...problem.facts.headers };
    return Response.json(problemJson(problem, requestId), { status: problem.status, headers });
  };
  app.use(async (context, next) => {
    const requestId = requestIdOf(context.req.header("x-request-id"), parts.newId);
    context.set("requestId", requestId);
    requireKnownHost(access, context.req.raw.headers);
    await next();
    for (const [name, value] of securityHeaders) context.res.headers.set(name, value);
    context.res.headers.set("x-request-id", requestId);
  });
  app.use("/api/*", compress());
  app.onError((error, context) => {
    const requestId = context.get("requestId");
    const response = refuse(error, requestId);
    for (const [name, value] of securityHeaders) response.headers.set(name, value);
    response.headers.set("x-request-id", requestId);
    return response;
  });
  const actors = new Actors(access, parts);
  const guard: Guard = (route, request) => {
    requireOwnOrigin(access, request.headers);
    return admit(actors, route, request);
  };
  const handlers: Handlers = {
    ...surroundingsHandlers(parts),
    ...peopleHandlers(parts, actors),
    ...runHandlers(parts),
    ...draftHandlers(parts),
    ...inboxHandlers(parts),
    ...episodeHandlers(parts),
    ...noteHandlers(parts),
    ...packHandlers(parts),
    ...stageHandlers(parts),
    ...sloganHandlers(parts),
  };
  for (const name of Object.keys(routes) as RouteName[]) {
    registerRoute(app, { name, handler: handlers[name] as LooseHandler, guard });
  }
  registerPages(app, files, guard);
  return app;
}

interface Admitted {
  readonly actor: Actor;
  /** Aborts when the client goes away, or is no longer allowed to listen. */
  readonly signal: AbortSignal;
}

type Guard = (route: Partial<Route>, request: Request) => Promise<Admitted>;

/** Every request passes here, and is refused unless its route is public or its sender has the role. */
async function admit(
  actors: Actors,
  { isPublic, role = "look", answers }: Partial<Route>,
  { headers, signal }: Request,
): Promise<Admitted> {
  if (isPublic === true) return { actor: anonymous, signal };
  const actor = await actors.require(headers, role);
  const isStream = answers?.[200] === "events";
  if (!isStream || actor.isOperator) return { actor, signal };
  return { actor, signal: actors.whileAllowed(headers, role, signal) };
}

const anonymous: Actor = { author: { by: "", knownHow: "none" }, role: "look", isOperator: false };

type LooseHandler = (given: Given<Route> & RequestFacts) => Promise<Response | LooseReply>;

interface LooseReply {
  readonly status: number;
  readonly value?: never;
  readonly wire?: Json;
  readonly packed?: PackedJson;
  readonly text?: string;
  readonly headers?: { readonly [name: string]: string };
}

function registerRoute(
  app: Hono<AppEnv>,
  line: {
    readonly name: RouteName;
    readonly handler: LooseHandler;
    readonly guard: Guard;
  },
): void {
  const route: Route = routes[line.name];
  const { method, path } = splitRoute(line.name);
  app.on(method, path, async (context) => {
    const { raw } = context.req;
    const admitted = await line.guard(route, raw);
    const params = context.req.param() as { readonly [name: string]: string };
    const given = await readRequest(route, { request: raw, params, query: context.req.query() });
    const idempotencyKey = route.isCreate === true ? idempotencyKeyOf(raw.headers) : undefined;
    const reply = await line.handler({
      ...given,
      requestId: context.get("requestId"),
      headers: raw.headers,
      ...admitted,
      author: authorOfAct(admitted.actor, (given.body as { readonly by?: string }).by),
      ...defined({ idempotencyKey }),
    });
    const answer =
      reply instanceof Response
        ? reply
        : await responseOf(reply, route.answers[reply.status], raw.headers);
    // The studio shows what its person may do; the operator may do everything.
    if (!admitted.actor.isOperator) answer.headers.set("x-signoff-role", admitted.actor.role);
    return answer;
  });
}

async function responseOf(
  reply: LooseReply,
  answer: RouteAnswer | undefined,
  asked: Headers,
): Promise<Response> {
  const { status, headers = {} } = reply;
  const init = {
    status: status as ContentfulStatusCode,
    headers: { "cache-control": "no-store", ...headers },
  };
  if (reply.text !== undefined) return new Response(reply.text, init);
  if (reply.packed !== undefined)
    return packedResponse(reply.packed, asked.get("accept-encoding"), init);
  if (reply.wire !== undefined) return Response.json(reply.wire, init);
  if (answer === undefined || typeof answer === "string") return new Response(null, init);
  return Response.json(toWire(answer, reply.value as never, { absent: "null" }), init);
}

/** Pages need no token: they contain only the program, and every request for data needs one. */
function registerPages(app: Hono<AppEnv>, files: StudioFiles, guard: Guard): void {
  app.get("/api/openapi.json", async (context) => {
    await guard({ role: "look" }, context.req.raw);
    return context.json(openApiDocument() as object);
  });
  app.get("/api/docs", (context) => context.html(apiDocsPage()));
  app.get("/api/docs.css", (context) =>
    context.body(apiDocsStyle, 200, { "content-type": "text/css; charset=utf-8" }),
  );
  app.all("/api/*", () => {
    throw new HttpProblem(404, {
      code: "route-unknown",
      message: "The API has no such address.",
      hint: "See /api/docs.",
    });
  });
  app.get("*", (context) => files.answer(context.req.path, context.req.raw.headers));
}

/** A client's own id is used if it is safe in a log and a header. */
function requestIdOf(given: string | undefined, newId: () => string): string {
  return given !== undefined && /^[\w.:-]{1,128}$/.test(given) ? given : newId();
}

function idempotencyKeyOf(headers: Headers): string | undefined {
  const key = headers.get("idempotency-key");
  if (key === null) return undefined;
  if (/^[\x21-\x7e]{1,200}$/.test(key)) return key;
  throw new HttpProblem(422, {
    code: "idempotency-key-invalid",
    message: "An idempotency key has 1 to 200 visible ASCII characters.",
  });
}
