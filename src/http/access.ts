import { timingSafeEqual } from "node:crypto";
import { HttpProblem } from "./http-problem.ts";
import { newSecret, secretDigest } from "./secrets.ts";

/**
 * How the server is reached, and the operator's key to it. The token is part of the address that is printed at start; it
 * is exchanged for a cookie with the session value. Both change with each start.
 */
export interface Access {
  readonly token: string;
  readonly session: string;
  /** Ports share cookies, so the name has to differ between two studios. */
  readonly cookieName: string;
  /** The addresses of this server, by the `Host` header that means them. */
  readonly origins: ReadonlyMap<string, string>;
}

/** `publicUrl` is the address of a proxy with TLS in front of the server. */
export function createAccess(port: number, publicUrl?: string): Access {
  const names = ["127.0.0.1", "localhost", "[::1]"].map((name) => `${name}:${port}`);
  const own = names.map((host) => [host, `http://${host}`] as const);
  const { host, origin } = publicUrl === undefined ? {} : new URL(publicUrl);
  return {
    token: newSecret(),
    session: newSecret(),
    cookieName: `signoff_${port}`,
    origins: new Map(host === undefined || origin === undefined ? own : [...own, [host, origin]]),
  };
}

/** Refuses host names that merely resolve to this machine, which DNS rebinding relies on. */
export function requireKnownHost(access: Access, headers: Headers): void {
  if (originOf(access, headers) !== undefined) return;
  throw new HttpProblem(421, {
    code: "host-unknown",
    message: "This server does not answer to that host name.",
    hint: "Use the address that `signoff studio` printed, or name the proxy's with `signoff studio --public-url`.",
  });
}

/** Refuses every request of other origins, including other ports of this machine. */
export function requireOwnOrigin(access: Access, headers: Headers): void {
  const origin = headers.get("origin");
  const site = headers.get("sec-fetch-site");
  const isOwn = origin === null || [...access.origins.values()].includes(origin);
  if (isOwn && (site === null || site === "same-origin" || site === "none")) return;
  throw new HttpProblem(403, {
    code: "origin-foreign",
    message: "Requests from other pages are refused.",
  });
}

/** The token of a client, or the cookie of a browser. */
export function keyOf(
  access: Access,
  headers: Headers,
): { readonly token?: string; readonly cookie?: string } {
  const token = /^Bearer ([\w-]+)$/i.exec(headers.get("authorization") ?? "")?.[1];
  const cookie = cookieOf(access.cookieName, headers.get("cookie") ?? "");
  return { ...(token && { token }), ...(cookie && { cookie }) };
}

/** Sent back only to this server, not by other sites, not to scripts, and over TLS alone where there is TLS. */
export function cookieText(
  access: Access,
  headers: Headers,
  { value, seconds }: { readonly value: string; readonly seconds?: number },
): string {
  const isSecure = originOf(access, headers)?.startsWith("https:") === true;
  const age = seconds === undefined ? "" : `; Max-Age=${seconds}`;
  const secure = isSecure ? "; Secure" : "";
  return `${access.cookieName}=${value}; Path=/; HttpOnly; SameSite=Strict${secure}${age}`;
}

function originOf({ origins }: Access, headers: Headers): string | undefined {
  return origins.get(headers.get("host")?.toLowerCase() ?? "");
}

function cookieOf(name: string, header: string): string | undefined {
  const pairs = header.split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** Compares in constant time. */
export function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(Buffer.from(secretDigest(given)), Buffer.from(secretDigest(expected)));
}
