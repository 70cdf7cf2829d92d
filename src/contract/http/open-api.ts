import type { Json } from "../../domain/values/json.ts";
import { version } from "../../domain/values/version.ts";
import { snakeCase, wireJsonSchema } from "../documents/snake-case.ts";
import { problemShape } from "./problem.ts";
import type { Route, RouteAnswer } from "./route.ts";
import { type RouteName, routes } from "./routes.ts";

type Members = { readonly [name: string]: Json };

/** The OpenAPI 3.1 document of the table. */
export function openApiDocument(): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const name of Object.keys(routes) as RouteName[]) {
    const { method, path } = splitRoute(name);
    const described = paths[openApiPath(path)] ?? {};
    described[method.toLowerCase()] = operation(name, routes[name]);
    paths[openApiPath(path)] = described;
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Signoff",
      version,
      description: "AI writing and AI review as loops that end only when both sides sign.",
    },
    security: [{ bearer: [] }, { cookie: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer" },
        cookie: { type: "apiKey", in: "cookie", name: "signoff_<port>" },
      },
      schemas: { Problem: wireJsonSchema(problemShape) },
    },
  };
}

export function splitRoute(name: RouteName): { readonly method: string; readonly path: string } {
  const [method = "", path = ""] = name.split(" ");
  return { method, path };
}

/** First words of paths whose section has another name. */
const sections: { readonly [word: string]: string } = {
  session: "access",
  attention: "inbox",
  health: "surroundings",
  models: "surroundings",
  recipes: "surroundings",
  settings: "surroundings",
  metrics: "surroundings",
  costs: "runs",
  events: "runs",
  "pack-runs": "packs",
  "pack-comparison": "packs",
};

/** The section of the documentation that a route belongs to. */
export function tagOf(name: RouteName): string {
  const [word = ""] = splitRoute(name)
    .path.replace(/^\/(?:api\/v1\/)?/u, "")
    .split("/");
  return sections[word] ?? word;
}

function openApiPath(path: string): string {
  return path.replace(/:(\w+)/gu, "{$1}");
}

function operation(name: RouteName, route: Route): Json {
  const { summary, body } = route;
  const schema = body === undefined ? undefined : wireJsonSchema(body);
  return {
    operationId: operationId(name),
    summary,
    tags: [tagOf(name)],
    ...(route.isPublic === true ? { security: [] } : {}),
    parameters: [
      ...parametersOf("path", route.params),
      ...parametersOf("query", route.query),
      ...(route.isCreate === true ? [idempotencyKey] : []),
    ],
    ...(schema === undefined
      ? {}
      : { requestBody: { required: true, content: { "application/json": { schema } } } }),
    responses: responsesOf(route),
  };
}

const idempotencyKey: Json = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "The same key with the same body is one creation, however often it is sent.",
  schema: { type: "string", maxLength: 200 },
};

/** `POST /api/v1/runs/:run_id/cancel` → `post_runs_run_id_cancel`. */
function operationId(name: RouteName): string {
  const { method, path } = splitRoute(name);
  const words = path.replace("/api/v1", "").split(/[/:]+/u).filter(Boolean);
  return [method.toLowerCase(), ...words].join("_");
}

function parametersOf(where: "path" | "query", shape: Route["params"]): readonly Json[] {
  if (shape === undefined) return [];
  const described = wireJsonSchema(shape) as { properties?: Members; required?: readonly string[] };
  return Object.keys(shape.shape)
    .map(snakeCase)
    .map((name) => ({
      name,
      in: where,
      required: described.required?.includes(name) ?? false,
      schema: described.properties?.[name] ?? {},
    }));
}

function responsesOf({ answers, problems = [] }: Route): Json {
  const good = Object.entries(answers).map(([status, answer]) => [status, responseOf(answer)]);
  const refusal = {
    description: ["Refused", ...problems.map((code) => `\`${code}\``)].join("; "),
    content: { "application/json": { schema: { $ref: "#/components/schemas/Problem" } } },
  };
  return Object.fromEntries([...good, ["default", refusal]]) as Json;
}

function responseOf(answer: RouteAnswer): Json {
  if (answer === "none") return { description: "Done" };
  const [type, schema] =
    answer === "events"
      ? ["text/event-stream", { type: "string" }]
      : answer === "text"
        ? ["text/plain", { type: "string" }]
        : ["application/json", wireJsonSchema(answer)];
  return { description: "Done", content: { [type as string]: { schema } } } as Json;
}
