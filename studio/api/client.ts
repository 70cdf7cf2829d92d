import type { AnswerOf, CallOf } from "../../src/contract/http/route.ts";
import type { RouteName, Routes } from "../../src/contract/http/routes.ts";
import { keepRole } from "./role.ts";

/** A refusal in the words of the server. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string;
  readonly hint: string | undefined;

  constructor(status: number, problem: { code?: string; message?: string; hint?: string | null }) {
    super(problem.message ?? "The server does not answer.");
    this.status = status;
    this.code = problem.code ?? "unreachable";
    this.hint = problem.hint ?? undefined;
  }
}

type Values = { readonly [name: string]: string | number | undefined };

/** One request, typed by the line of the table it names. */
export async function ask<Name extends RouteName>(
  name: Name,
  given: CallOf<Routes[Name]>,
  headers: { readonly [name: string]: string } = {},
): Promise<AnswerOf<Routes[Name]>> {
  const {
    params = {},
    query = {},
    body,
  } = given as { params?: Values; query?: Values; body?: object };
  const [method = "GET", path = ""] = name.split(" ");
  const filled = path.replace(/:(\w+)/gu, (_, part: string) =>
    encodeURIComponent(params[part] ?? ""),
  );
  const asked = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(asked.map(([key, value]) => [key, String(value)])).toString();
  const response = await fetch(search === "" ? filled : `${filled}?${search}`, {
    method,
    headers: body === undefined ? headers : { "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new Refused(0, {});
  });
  if (response.ok) keepRole(response.headers.get("x-signoff-role"));
  const answer = response.status === 204 ? undefined : await response.json().catch(() => ({}));
  if (!response.ok) throw new Refused(response.status, answer);
  return answer;
}
