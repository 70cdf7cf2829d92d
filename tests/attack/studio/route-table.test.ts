import { expect, it } from "vitest";
import type { Route } from "../../../src/contract/http/route.ts";
import { type RouteName, routes } from "../../../src/contract/http/routes.ts";
import { newProjectFolder, studioWithoutSocket } from "../../support/studio.ts";

/** What the server answers without a line in the table: the program itself, and its description. */
const pages = [
  "GET /api/openapi.json",
  "GET /api/docs",
  "GET /api/docs.css",
  "GET /*",
  // Refuses every other address of the API.
  "ALL /api/*",
];

it("the server answers nothing but the routes of the table and its pages", async () => {
  const { appFor, access } = await studioWithoutSocket(newProjectFolder());
  const registered = appFor(access)
    .routes.filter(({ handler }) => handler.length < 2)
    .map(({ method, path }) => `${method} ${path}`);
  expect(registered.toSorted()).toEqual([...Object.keys(routes), ...pages].toSorted());
});

it("a route that changes something names its role, and only signing in is open to everyone", () => {
  const all = Object.entries(routes) as readonly (readonly [RouteName, Route])[];
  const silent = all.filter(([name, { role }]) => !name.startsWith("GET ") && role === undefined);
  expect(silent).toEqual([]);
  const open = all.filter(([, { isPublic }]) => isPublic === true).map(([name]) => name);
  expect(open).toEqual(["POST /api/v1/session"]);
});
