import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { HttpProblem } from "./http-problem.ts";

/**
 * Who may talk to the server. The token is in the address that is printed at start, the session value only ever
 * in the cookie that it is exchanged for; both are new with each start.
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

/** A name that merely leads to this machine is not this server: that is how DNS rebinding gets in. */
export function requireKnownHost(access: Access, headers: Headers): void {
  const host = headers.get("host");
  if (host !== null && access.hosts.has(host.toLowerCase())) return;
  throw new HttpProblem(421, {
    code: "host-unknown",
    message: "This server does not answer to that host name.",
    hint: "Use the address that `signoff studio` printed.",
  });
}

/** Pages of other origins, other ports of this machine included, get nothing: not even what they could not read. */
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
    message: "A valid token is needed.",
    hint: "Open the address that `signoff studio` printed; each start has a new one.",
    headers: { "www-authenticate": 'Bearer realm="signoff"' },
  });
}

/** The cookie for the right token. */
export function exchangeToken(access: Access, token: string): string {
  if (!isSame(token, access.token)) {
    throw new HttpProblem(401, {
      code: "token-wrong",
      message: "That token is not, or no longer, valid.",
      hint: "Open the address that `signoff studio` printed last; each start has a new one.",
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

/** Takes as long for a wrong guess as for a nearly right one. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
