import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { HttpProblem } from "./http-problem.ts";

/**
 * Who may use the server. The token is part of the address that is printed at start; it is exchanged for a cookie with
 * the session value. Both change with each start.
 */
export interface Access {
  readonly token: string;
  readonly session: string;
  /** Ports share cookies, so the name has to differ between two studios. */
  readonly cookieName: string;
  /** `Host` headers that mean this server. */
  readonly hosts: ReadonlySet<string>;
}

export function createAccess(port: number, address = "127.0.0.1"): Access {
  const names = new Set(["127.0.0.1", "localhost", "[::1]", address]);
  return {
    token: randomBytes(32).toString("base64url"),
    session: randomBytes(32).toString("base64url"),
    cookieName: `signoff_${port}`,
    hosts: new Set([...names].map((name) => `${name}:${port}`)),
  };
}

/** Refuses host names that merely resolve to this machine, which DNS rebinding relies on. */
export function requireKnownHost(access: Access, headers: Headers): void {
  const host = headers.get("host");
  if (host !== null && access.hosts.has(host.toLowerCase())) return;
  throw new HttpProblem(421, {
    code: "host-unknown",
    message: "This server does not answer to that host name.",
    hint: "Use the address that `signoff studio` printed.",
  });
}

/** Refuses every request of other origins, including other ports of this machine. */
export function requireOwnOrigin(access: Access, headers: Headers): void {
  const origin = headers.get("origin");
  const site = headers.get("sec-fetch-site");
  const isOwn = origin === null || [...access.hosts].some((host) => origin === `http://${host}`);
  if (isOwn && (site === null || site === "same-origin" || site === "none")) return;
  throw new HttpProblem(403, {
    code: "origin-foreign",
    message: "Requests from other pages are refused.",
  });
}

export function requireToken(access: Access, headers: Headers): void {
  const bearer = /^Bearer ([\w-]+)$/i.exec(headers.get("authorization") ?? "")?.[1];
  const cookie = cookieOf(access.cookieName, headers.get("cookie") ?? "");
  if (bearer !== undefined && isSame(bearer, access.token)) return;
  if (cookie !== undefined && isSame(cookie, access.session)) return;
  throw new HttpProblem(401, {
    code: "token-missing",
    message: "A valid token is required.",
    hint: "Open the address that `signoff studio` printed; each start has a new token.",
    headers: { "www-authenticate": 'Bearer realm="signoff"' },
  });
}

/** Exchanges the token for the session cookie. */
export function exchangeToken(access: Access, token: string): string {
  if (!isSame(token, access.token)) {
    throw new HttpProblem(401, {
      code: "token-wrong",
      message: "That token is invalid or expired.",
      hint: "Open the address that `signoff studio` printed last; each start has a new token.",
    });
  }
  return cookieText(access, access.session);
}

export function emptyCookie(access: Access): string {
  return `${cookieText(access, "")}; Max-Age=0`;
}

function cookieText({ cookieName }: Access, value: string): string {
  return `${cookieName}=${value}; Path=/; HttpOnly; SameSite=Strict`;
}

function cookieOf(name: string, header: string): string | undefined {
  const pairs = header.split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** Compares in constant time. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
