import { expect, it } from "vitest";
import type { Route } from "../../../src/contract/http/route.ts";
import { type RouteName, routes } from "../../../src/contract/http/routes.ts";
import { includes, type PersonRole, roles } from "../../../src/domain/people/role.ts";
import { instant } from "../../../src/domain/values/instant.ts";
import { createAccess } from "../../../src/http/access.ts";
import { secretDigest } from "../../../src/http/secrets.ts";
import { newProjectFolder, runStory, studioWithoutSocket, unsigned } from "../../support/studio.ts";

const addedAt = instant("2026-11-18T09:00:00.000Z");
const names = { look: "Lou", decide: "Dee", run: "Rae" } as const;
const tokenOf = (role: PersonRole) => `token-of-${role}`;

/** A studio with one person for each role. */
async function shared(root = newProjectFolder()) {
  const studio = await studioWithoutSocket(root);
  const { store } = studio.project;
  for (const role of roles) {
    const person = { name: names[role], role, addedAt };
    await store.transaction(({ people }) => people.add(person, secretDigest(tokenOf(role))));
  }
  const as = (role: PersonRole) => ({ authorization: `Bearer ${tokenOf(role)}` });
  const signIn = async (token: string, headers = {}) => {
    const answer = await studio.ask("POST", "/api/v1/session", { token }, headers);
    return answer.headers.get("set-cookie") ?? "";
  };
  const withCookie = (cookie: string, path = "/api/v1/runs") =>
    studio.ask("GET", path, undefined, { authorization: "", cookie: cookie.split(";")[0] });
  return { ...studio, store, as, signIn, withCookie };
}

/** A request that fits no thing of the project, so that it changes nothing if it is let through. */
async function statusOf(studio: Awaited<ReturnType<typeof shared>>, name: RouteName, as: object) {
  const [method = "", path = ""] = name.split(" ");
  const filled = path.replace(/:\w+/gu, "6f6a0a3c-92f2-4c0e-8f0a-0d7f5a3c1b2e");
  const body = method === "POST" ? { item: "x" } : undefined;
  const answer = await studio.ask(method, filled, body, as);
  await answer.body?.cancel();
  return answer.status;
}

const guarded = (Object.keys(routes) as RouteName[]).filter(
  (name) => (routes[name] as Route).isPublic !== true,
);

it("every route asks for a token, and refuses every role below its own", async () => {
  const studio = await shared();
  for (const name of guarded) {
    const { role: needed = "look" } = routes[name] as Route;
    expect([name, await statusOf(studio, name, { authorization: "" })]).toEqual([name, 401]);
    const refused = { authorization: "Bearer an-unknown-token" };
    expect([name, await statusOf(studio, name, refused)]).toEqual([name, 401]);
    for (const role of roles) {
      const isRefused = [401, 403].includes(await statusOf(studio, name, studio.as(role)));
      expect([name, role, isRefused]).toEqual([name, role, !includes(role, needed)]);
    }
  }
  expect(studio.reported).toEqual([]);
});

it("reading is open to every role, and what spends money only to the last", () => {
  const needing = (role: PersonRole) =>
    guarded.filter((name) => ((routes[name] as Route).role ?? "look") === role);
  const writing = needing("look").filter((name) => !name.startsWith("GET"));
  expect(writing).toEqual(["DELETE /api/v1/session", "POST /api/v1/notes/plan"]);
  expect(needing("run").map((name) => name.replace(/.*\/v1\//u, ""))).toEqual([
    "runs/:run_id/cancel",
    "runs/:run_id/resume",
    "drafts",
    "drafts/:run_id/cancel",
    "drafts/:run_id/resume",
    "episodes/:episode_id/draft",
    "episodes/:episode_id/review",
    "notes/review",
    "pack-runs/:run_id/repeat",
    "stages/:stage_id/steps",
    "stages/:stage_id/imports",
    "slogans/generate",
  ]);
});

it("a refusal says which role is missing and who has it", async () => {
  const { ask, as } = await shared();
  const refused = await ask("POST", "/api/v1/drafts", { brief: "a lamp" }, as("decide"));
  expect(refused.status).toBe(403);
  expect(await refused.json()).toMatchObject({
    code: "role-missing",
    message: "Dee does not have the role `run` here.",
    hint: "Rae can do this.",
  });
});

it("a decision bears the name of the token, and no other", async () => {
  const root = newProjectFolder();
  const run = await runStory(root, unsigned);
  const { ask, as } = await shared(root);
  const path = `/api/v1/drafts/${run}/rulings`;
  const act = { act: "approve", version: 0, reason: "good" };
  const borrowed = await ask("POST", path, { ...act, by: "Rae" }, as("decide"));
  expect(borrowed.status).toBe(403);
  expect(await borrowed.json()).toMatchObject({ code: "name-not-yours" });
  const own = await ask("POST", path, act, as("decide"));
  expect(own.status).toBe(201);
  expect(await own.json()).toMatchObject({ ruling: { by: "Dee", known_how: "token" } });
});

it("a session ends by signing out, by expiry and with its token", async () => {
  const { ask, store, signIn, withCookie } = await shared();
  const [first, second] = [await signIn(tokenOf("look")), await signIn(tokenOf("look"))];
  expect(first).toMatch(
    /^signoff_4400=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/u,
  );
  expect(first).not.toBe(second);
  expect((await withCookie(first)).status).toBe(200);
  const cookie = { authorization: "", cookie: first.split(";")[0] };
  const out = await ask("DELETE", "/api/v1/session", undefined, cookie);
  expect(out.headers.get("set-cookie")).toMatch(/^signoff_4400=; .*Max-Age=0$/u);
  expect((await withCookie(first)).status).toBe(401);
  expect((await withCookie(second)).status).toBe(200);
  await store.transaction(({ people }) =>
    people.openSession({
      digest: secretDigest("expired"),
      tokenDigest: secretDigest(tokenOf("look")),
      now: addedAt,
      expiresAt: instant("2026-01-01T00:00:00.000Z"),
    }),
  );
  expect((await withCookie("signoff_4400=expired")).status).toBe(401);
  await store.transaction(({ people }) => people.remove(names.look));
  expect((await withCookie(second)).status).toBe(401);
  expect(await signIn(tokenOf("look"))).toBe("");
});

it("the digests in the store open nothing", async () => {
  const { ask, signIn, withCookie } = await shared();
  const digest = secretDigest(tokenOf("run"));
  const asked = await ask("GET", "/api/v1/runs", undefined, { authorization: `Bearer ${digest}` });
  expect(asked.status).toBe(401);
  expect(await signIn(digest)).toBe("");
  const value = /=([\w-]+);/u.exec(await signIn(tokenOf("run")))?.[1] ?? "";
  expect((await withCookie(`signoff_4400=${secretDigest(value)}`)).status).toBe(401);
  expect((await withCookie(`signoff_4400=${value}`)).status).toBe(200);
});

it("a stream ends when its person's token is revoked", { timeout: 20_000 }, async () => {
  const { ask, as, store } = await shared();
  const stream = await ask("GET", "/api/v1/events", undefined, as("look"));
  expect(stream.status).toBe(200);
  const body = stream.text();
  await store.transaction(({ people }) => people.remove(names.look));
  expect(await body).toContain("event: reset");
});

it("behind a proxy the server knows its public name alone, and its cookies need TLS", async () => {
  const prepared = await shared();
  const access = createAccess(4400, "https://studio.example.com");
  const app = prepared.appFor(access);
  const send = (headers: { readonly [name: string]: string }) =>
    app.request("/api/v1/session", {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ token: tokenOf("decide") }),
    });
  const host = "studio.example.com";
  const own = await send({ host, origin: "https://studio.example.com" });
  expect(own.headers.get("set-cookie")).toMatch(/; HttpOnly; SameSite=Strict; Secure; Max-Age=/u);
  const local = await send({ host: "127.0.0.1:4400", origin: "http://127.0.0.1:4400" });
  expect(local.headers.get("set-cookie")).not.toContain("Secure");
  for (const origin of ["http://studio.example.com", "https://evil.example", "null"]) {
    expect([origin, (await send({ host, origin })).status]).toEqual([origin, 403]);
  }
  for (const other of ["studio.example.com:4400", "evil.example", "example.com"]) {
    expect([other, (await send({ host: other })).status]).toEqual([other, 421]);
  }
});

it("shows others what a person has open, and not to the person", async () => {
  const { ask, as } = await shared();
  const open = (role: PersonRole, more = {}) =>
    ask("POST", "/api/v1/attention", { item: "run-1", ...more }, as(role));
  const seen = async (role: PersonRole) =>
    (await (await ask("GET", "/api/v1/attention", undefined, as(role))).json()) as object;
  expect((await open("decide")).status).toBe(204);
  expect(await seen("run")).toEqual({ attention: [{ item: "run-1", name: "Dee" }] });
  expect(await seen("decide")).toEqual({ attention: [] });
  await open("decide", { is_over: true });
  expect(await seen("run")).toEqual({ attention: [] });
});
