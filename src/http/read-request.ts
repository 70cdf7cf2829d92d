import { ZodError } from "zod";
import { fromWire } from "../contract/documents/snake-case.ts";
import type { Given, Route } from "../contract/http/route.ts";
import { HttpProblem, invalidRequest } from "./http-problem.ts";

const usualBytes = 512 * 1024;
const deepest = 32;

interface RawRequest {
  readonly request: Request;
  readonly params: { readonly [name: string]: string };
  readonly query: { readonly [name: string]: string };
}

/** The parsed request, or a refusal that names what is invalid. */
export async function readRequest(route: Route, raw: RawRequest): Promise<Given<Route>> {
  if (raw.request.method === "POST") requireJson(raw.request);
  const params = route.params === undefined ? {} : readParams(route, raw.params);
  try {
    const query = route.query === undefined ? {} : fromWire(route.query, raw.query);
    const body =
      route.body === undefined ? {} : fromWire(route.body, await readJson(route, raw.request));
    return { params, query, body };
  } catch (error) {
    throw error instanceof ZodError ? invalidRequest(error) : error;
  }
}

/** A malformed id is answered like an unknown one. */
function readParams(route: Route, params: RawRequest["params"]) {
  try {
    return fromWire(route.params as NonNullable<Route["params"]>, params);
  } catch (cause) {
    const message = "There is nothing with that id.";
    throw new HttpProblem(404, { code: "id-invalid", message, cause });
  }
}

/** Any page can send forms and plain text without a preflight request; JSON it cannot. */
function requireJson(request: Request): void {
  const type = request.headers.get("content-type") ?? "";
  if (/^application\/json\s*(?:;\s*charset="?utf-8"?)?$/i.test(type.trim())) return;
  throw new HttpProblem(415, {
    code: "json-required",
    message: "A write needs a JSON body.",
    hint: "Send Content-Type: application/json.",
  });
}

async function readJson(route: Route, request: Request): Promise<unknown> {
  const text = await readText(request, route.mostBytes ?? usualBytes);
  requireShallow(text);
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message = "The body is not valid JSON.";
    throw new HttpProblem(422, { code: "json-invalid", message, cause });
  }
}

async function readText(request: Request, mostBytes: number): Promise<string> {
  const announced = Number(request.headers.get("content-length") ?? "0");
  if (announced > mostBytes) throw tooLarge(mostBytes);
  if (request.body === null) return "";
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of request.body as unknown as AsyncIterable<Uint8Array>) {
      size += part.byteLength;
      if (size > mostBytes) throw tooLarge(mostBytes);
      parts.push(part);
    }
  } catch (cause) {
    if (cause instanceof HttpProblem) throw cause;
    const message = "The request broke off before its body was complete.";
    throw new HttpProblem(400, { code: "body-incomplete", message, cause });
  }
  return Buffer.concat(parts).toString("utf8");
}

function tooLarge(mostBytes: number): HttpProblem {
  return new HttpProblem(413, {
    code: "body-too-large",
    message: `A body may have ${mostBytes / 1024} KiB at most.`,
  });
}

/** Checks the nesting before the text is parsed. */
function requireShallow(text: string): void {
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (isInText) {
      if (sign === "\\") at += 1;
      else if (sign === '"') isInText = false;
    } else if (sign === '"') isInText = true;
    else depth += depthChange(sign);
    if (depth > deepest) {
      throw new HttpProblem(422, {
        code: "body-too-deep",
        message: `A body may be ${deepest} levels deep at most.`,
      });
    }
  }
}

function depthChange(sign: string | undefined): number {
  if (sign === "{" || sign === "[") return 1;
  return sign === "}" || sign === "]" ? -1 : 0;
}
