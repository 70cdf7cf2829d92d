import { describe, expect, it } from "vitest";
import { sendRaw } from "../../support/raw-http.ts";
import {
  newProjectFolder,
  runStory,
  type ServedStudio,
  serveStudio,
  unsigned,
} from "../../support/studio.ts";

const secret = "Hear it again";

async function attacked() {
  const root = newProjectFolder();
  const run = await runStory(root, unsigned);
  const studio = await serveStudio(root);
  const cookie = await signIn(studio);
  const send = (lines: readonly string[], body?: string) => sendRaw(studio.port, lines, body);
  const host = `host: 127.0.0.1:${studio.port}`;
  return {
    studio,
    run,
    send,
    host,
    cookie: `cookie: ${cookie}`,
    unchanged: () => unchanged(studio, run),
  };
}

async function signIn({ origin, token }: ServedStudio): Promise<string> {
  const response = await fetch(`${origin}/api/v1/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token }),
  });
  const cookie = response.headers.get("set-cookie") ?? "";
  expect(cookie).toMatch(/^signoff_\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/u);
  return cookie.split(";")[0] ?? "";
}

async function unchanged({ origin, token }: ServedStudio, run: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const read = async (path: string) =>
    (await (await fetch(origin + path, { headers })).json()) as {
      readonly runs?: readonly object[];
    };
  expect(await read(`/api/v1/drafts/${run}/rulings`)).toEqual({ rulings: [] });
  expect((await read("/api/v1/runs")).runs).toHaveLength(1);
}

const post = (path: string) => `POST ${path} HTTP/1.1`;
const approve = JSON.stringify({ act: "approve", version: 0, reason: "hacked" });
const jsonOf = (body: string) => [
  "content-type: application/json",
  `content-length: ${Buffer.byteLength(body)}`,
];

describe("another user of the same machine or browser", () => {
  it("learns nothing and changes nothing without the token", async () => {
    const { send, host, run, unchanged } = await attacked();
    const paths = [
      "/api/v1/runs",
      `/api/v1/runs/${run}`,
      `/api/v1/runs/${run}/events`,
      `/api/v1/drafts/${run}`,
      "/api/v1/events",
      "/api/v1/inbox",
      "/api/v1/settings",
      "/api/openapi.json",
      "/metrics",
    ];
    for (const path of paths) {
      for (const token of [
        "",
        "authorization: Bearer wrong",
        "authorization: Basic eDp5",
        "cookie: signoff=1",
      ]) {
        const lines = [`GET ${path} HTTP/1.1`, host, ...(token === "" ? [] : [token])];
        const { status, text } = await send(lines);
        expect([path, token, status]).toEqual([path, token, 401]);
        expect(text).not.toContain(secret);
      }
    }
    const ruling = await send(
      [post(`/api/v1/drafts/${run}/rulings`), host, ...jsonOf(approve)],
      approve,
    );
    expect(ruling.status).toBe(401);
    await unchanged();
  });

  it("cannot use the token or the cookie of an earlier start", async () => {
    const root = newProjectFolder();
    const first = await serveStudio(root);
    const cookie = await signIn(first);
    await first.stop("now");
    const second = await serveStudio(root);
    const name = cookie.replace(String(first.port), String(second.port));
    for (const header of [{ authorization: `Bearer ${first.token}` }, { cookie: name }]) {
      const response = await fetch(`${second.origin}/api/v1/runs`, { headers: header });
      expect(response.status).toBe(401);
    }
    const exchange = await fetch(`${second.origin}/api/v1/session`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token: first.token }),
    });
    expect(exchange.status).toBe(401);
    expect(exchange.headers.get("set-cookie")).toBeNull();
  });

  it("is not this server under any other name, even with the right cookie", async () => {
    const { send, studio, cookie } = await attacked();
    const { port } = studio;
    for (const host of [
      "evil.example",
      `evil.example:${port}`,
      "127.0.0.1",
      `127.0.0.1.evil.example:${port}`,
      `localhost.evil.example:${port}`,
      `127.0.0.1:${port}@evil.example`,
      `127.0.0.2:${port}`,
      "",
    ]) {
      const { status, text } = await send(["GET /api/v1/runs HTTP/1.1", `host: ${host}`, cookie]);
      expect([host, status === 421 || status === 400]).toEqual([host, true]);
      expect(text).not.toContain("run_id");
    }
    const page = await send(["GET / HTTP/1.1", `host: evil.example:${port}`]);
    expect(page.status).toBe(421);
  });

  it("gets nothing from a page of another origin or another port of this machine", async () => {
    const { send, host, cookie, studio, run, unchanged } = await attacked();
    const foreign = [
      "origin: https://evil.example",
      "origin: null",
      `origin: http://127.0.0.1:${studio.port + 1}`,
      `origin: https://127.0.0.1:${studio.port}`,
      `origin: http://127.0.0.1:${studio.port}.evil.example`,
      "sec-fetch-site: cross-site",
      "sec-fetch-site: same-site",
    ];
    for (const header of foreign) {
      const read = await send(["GET /api/v1/runs HTTP/1.1", host, cookie, header]);
      expect([header, read.status]).toEqual([header, 403]);
      expect(read.text.toLowerCase()).not.toContain("access-control-allow");
      const write = await send(
        [post(`/api/v1/drafts/${run}/rulings`), host, cookie, header, ...jsonOf(approve)],
        approve,
      );
      expect([header, write.status]).toEqual([header, 403]);
    }
    const preflight = await send([
      "OPTIONS /api/v1/drafts HTTP/1.1",
      host,
      "origin: https://evil.example",
      "access-control-request-method: POST",
    ]);
    expect(preflight.status).toBeGreaterThanOrEqual(400);
    expect(preflight.text.toLowerCase()).not.toContain("access-control-allow");
    await unchanged();
  });
});

describe("a request that is made to hurt", () => {
  it("is refused unless it is JSON, whatever it says inside", async () => {
    const { send, host, cookie, run, unchanged } = await attacked();
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "text/plain; application/json",
      "application/json; charset=utf-16",
      "application/jsonp",
    ]) {
      const { status } = await send(
        [
          post(`/api/v1/drafts/${run}/rulings`),
          host,
          cookie,
          `content-type: ${type}`,
          `content-length: ${approve.length}`,
        ],
        approve,
      );
      expect([type, status]).toEqual([type, 415]);
    }
    await unchanged();
  });

  it("is refused when it is too large, announced or not", async () => {
    const { send, host, cookie, run, unchanged } = await attacked();
    const announced = await send([
      post("/api/v1/drafts"),
      host,
      cookie,
      "content-type: application/json",
      "content-length: 900000000",
    ]);
    expect(announced.status).toBe(413);
    const chunk = `${(64 * 1024).toString(16)}\r\n${" ".repeat(64 * 1024)}\r\n`;
    // A draft may come with whole texts, everything else is short.
    for (const [path, count] of [
      ["/api/v1/drafts", 260],
      [`/api/v1/drafts/${run}/rulings`, 20],
    ] as const) {
      const type = ["content-type: application/json", "transfer-encoding: chunked"];
      const creeping = await send([post(path), host, cookie, ...type], chunk.repeat(count));
      expect(creeping.status).toBe(413);
    }
    await unchanged();
  });

  it("is refused when it is nested beyond all sense", async () => {
    const { send, host, cookie, unchanged } = await attacked();
    for (const body of ["[".repeat(100_000), `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`]) {
      const { status, text } = await send(
        [post("/api/v1/drafts"), host, cookie, ...jsonOf(body.slice(0, 500_000))],
        body.slice(0, 500_000),
      );
      expect(status).toBe(422);
      expect(text).toContain("body-too-deep");
    }
    const polluted = '{"brief":"bottles","__proto__":{"max_turns":1},"constructor":{}}';
    const { status } = await send(
      [post("/api/v1/drafts"), host, cookie, ...jsonOf(polluted)],
      polluted,
    );
    expect(status).toBe(422);
    await unchanged();
  });

  it("finds no file by any path", async () => {
    const { send, host, cookie, unchanged } = await attacked();
    const tricks = [
      "/../package.json",
      "/..%2f..%2fpackage.json",
      "/%2e%2e/%2e%2e/etc/passwd",
      "/assets/../../package.json",
      "/assets/..%5c..%5cpackage.json",
      "//etc/passwd.html",
      "/.signoff/signoff.db",
      "/index.html%00.js",
      "/api/v1/runs/..%2f..%2fsettings",
      "/api/v1/runs/%2e%2e",
      "/api/v1/runs/' OR '1'='1",
      "/api/v1/drafts/../../../etc/passwd/turns",
      "/api/v1/runs/00000000-0000-4000-8000-000000000000%00/events",
    ];
    for (const path of tricks) {
      const { status, text } = await send([
        `GET ${path.replaceAll(" ", "%20")} HTTP/1.1`,
        host,
        cookie,
      ]);
      expect([path, text.includes("root:"), text.includes('"devDependencies"')]).toEqual([
        path,
        false,
        false,
      ]);
      expect([path, status === 404 || status === 400 || text.includes('<div id="root">')]).toEqual([
        path,
        true,
      ]);
    }
    await unchanged();
  });

  it("is answered with headers that leave a browser no freedom", async () => {
    const { send, host, cookie } = await attacked();
    for (const path of ["/", "/api/v1/runs", "/api/v1/nothing", "/api/docs", "/metrics"]) {
      const { text } = await send([`GET ${path} HTTP/1.1`, host, cookie]);
      const head = text.slice(0, text.indexOf("\r\n\r\n")).toLowerCase();
      expect(head).toContain("x-content-type-options: nosniff");
      expect(head).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
      expect(head).not.toContain("unsafe-");
      expect(head).toContain("frame-ancestors 'none'");
      expect(head).toContain("x-request-id: ");
    }
    const { text } = await send([
      "GET /api/v1/runs HTTP/1.1",
      host,
      cookie,
      "x-request-id: <script>alert(1)</script>",
    ]);
    expect(text).not.toContain("<script>alert");
  });
});
