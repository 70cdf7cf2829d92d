import { defined } from "../../../domain/values/defined.ts";
import { type Instant, millisOf } from "../../../domain/values/instant.ts";
import type { Json } from "../../../domain/values/json.ts";
import { parseJson } from "../../../domain/values/json.ts";
import { RunnerError, WorkflowError } from "../../../domain/values/workflow-error.ts";
import { readableDetail } from "../readable-detail.ts";
import { networkReason } from "./network-reason.ts";
import { retryAfterMs } from "./retry-after.ts";
import { BrokenStream } from "./stream-answer.ts";

/** The provider that was asked, as messages name it. */
export interface Asked {
  /** For people: `Ollama at http://localhost:11434`. */
  readonly who: string;
  readonly provider: string;
  readonly model?: string;
  readonly secrets: readonly string[];
  readonly now: Instant;
  readonly hints: ProviderHints;
}

export interface ProviderHints {
  readonly unreachable: string;
  readonly unauthorized: string;
}

interface About {
  readonly code: string;
  readonly retryable: boolean;
  readonly hint?: string;
  readonly retryAfterMs?: number;
  readonly facts?: { readonly [name: string]: Json };
}

/** A response other than 2xx, whichever package read it. */
export interface HttpFailure {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The Anthropic package reports an unreadable first event as status 500, with its own error as the body. */
const inventedStatus = /"name":"AI_\w+Error"/u;

export function httpFailureOf(thrown: unknown): HttpFailure | undefined {
  if (!(thrown instanceof Error) || !("statusCode" in thrown)) return undefined;
  const { statusCode: status } = thrown;
  if (typeof status !== "number" || (status >= 200 && status < 300)) return undefined;
  const headers = "responseHeaders" in thrown ? thrown.responseHeaders : undefined;
  const body = "responseBody" in thrown ? thrown.responseBody : undefined;
  if (typeof body === "string" && inventedStatus.test(body)) return undefined;
  return {
    status,
    headers: (headers ?? {}) as Readonly<Record<string, string>>,
    body: typeof body === "string" ? body : "",
  };
}

/**
 * Any failure of an attempt as one paragraph with a stable code. The thrown error is not kept as the cause: it
 * contains the prompt and the headers, and causes are logged.
 */
export function providerFailure(thrown: unknown, asked: Asked): WorkflowError {
  if (thrown instanceof WorkflowError) return thrown;
  const http = httpFailureOf(thrown);
  if (http !== undefined) return statusFailure(http, asked);
  if (thrown instanceof BrokenStream) return streamFailure(thrown, asked);
  const reason = networkReason(thrown);
  if (reason?.kind === "ours") return reason.error;
  if (reason !== undefined) return networkFailure(reason, asked);
  return failure(asked, "gave a reply that cannot be read", notReadable);
}

const notReadable: About = {
  code: "bad-reply",
  retryable: false,
  hint: "Check that the base URL is that of the provider's API.",
};

function statusFailure(http: HttpFailure, asked: Asked): RunnerError {
  const { status, body } = http;
  const said = saidIn(body, asked.secrets);
  const about = aboutStatus(http, said, asked);
  const detail = about.code === "unauthorized" || said.text === "" ? "" : `: ${said.text}`;
  return failure(asked, `answered ${status}${detail}`, {
    ...about,
    facts: { ...about.facts, status },
  });
}

function aboutStatus({ status, headers }: HttpFailure, said: Said, asked: Asked): About {
  const wait = retryAfterMs(headers, millisOf(asked.now));
  const later = { retryable: true, ...defined({ retryAfterMs: wait }) };
  if (status === 401 || status === 403) {
    return { code: "unauthorized", retryable: false, hint: asked.hints.unauthorized };
  }
  if (status === 408) return { code: "timed-out", ...later };
  if (status === 429)
    return said.kind === "quota" ? quotaUsedUp : { code: "rate-limited", ...later };
  if (status === 503 || status === 529) return { code: "overloaded", ...later };
  if (status >= 500) return { code: "server-error", ...later };
  if (status < 400) {
    const hint = "It points elsewhere; set the base URL to the final address.";
    return { code: "bad-request", retryable: false, hint };
  }
  return { code: "bad-request", retryable: false };
}

const quotaUsedUp: About = {
  code: "quota-used-up",
  retryable: false,
  hint: "The account has no credit left; nothing is lost, resume when it has.",
};

function streamFailure(broken: BrokenStream, asked: Asked): WorkflowError {
  switch (broken.reason) {
    case "filtered":
      return failure(asked, "withheld the reply by its content filter", {
        code: "content-filtered",
        retryable: false,
      });
    case "tools":
      return failure(asked, "called a tool instead of answering", notReadable);
    case "unfinished":
      return broken.hasStarted ? connectionCut(asked) : providerFailure(undefined, asked);
    case "error":
      return saidError(broken, asked);
  }
}

/** A server may report an error after it has answered 200. */
function saidError(broken: BrokenStream, asked: Asked): WorkflowError {
  const { cause } = broken;
  if (cause instanceof WorkflowError) return cause;
  const http = httpFailureOf(cause);
  if (http !== undefined) return statusFailure(http, asked);
  if (cause instanceof Error || cause === undefined) {
    const reason = networkReason(cause);
    if (reason?.kind === "ours") return reason.error;
    return broken.hasStarted || reason !== undefined
      ? connectionCut(asked)
      : providerFailure(undefined, asked);
  }
  const said = saidIn(JSON.stringify({ error: cause }), asked.secrets);
  return failure(
    asked,
    `broke off${said.text === "" ? "" : `: ${said.text}`}`,
    {
      rate: { code: "rate-limited", retryable: true },
      overload: { code: "overloaded", retryable: true },
      quota: quotaUsedUp,
      other: { code: "server-error", retryable: true },
    }[said.kind],
  );
}

type Reason = Exclude<ReturnType<typeof networkReason>, undefined | { readonly kind: "ours" }>;

function networkFailure(reason: Reason, asked: Asked): RunnerError {
  switch (reason.kind) {
    case "cut":
      return connectionCut(asked, reason.code);
    case "certificate":
      return failure(asked, `has a certificate that is not trusted here (${reason.code})`, {
        code: "unreachable",
        retryable: false,
        hint: "If it is your own authority, set NODE_EXTRA_CA_CERTS to its file.",
        facts: { reason: reason.code },
      });
    case "blocked-port":
      return failure(asked, "is on a port that fetch never opens: it belongs to another protocol", {
        code: "bad-base-url",
        retryable: false,
        hint: "Let it listen on another port, such as 11434 or 8080, and set the base URL to that.",
      });
    case "unreachable":
      return failure(asked, `cannot be reached (${reason.code})`, {
        code: "unreachable",
        retryable: true,
        hint: asked.hints.unreachable,
        facts: { reason: reason.code },
      });
  }
}

function connectionCut(asked: Asked, code?: string): RunnerError {
  return failure(asked, "cut the connection before the reply was complete", {
    code: "connection-cut",
    retryable: true,
    ...(code === undefined ? {} : { facts: { reason: code } }),
  });
}

function failure(asked: Asked, what: string, about: About): RunnerError {
  const { facts = {}, ...rest } = about;
  const { who, provider, model } = asked;
  return new RunnerError(`${who} ${what}.`.replace(/\.\.$/u, "."), {
    ...rest,
    facts: { provider, ...defined({ model }), ...facts },
  });
}

interface Said {
  readonly text: string;
  readonly kind: "rate" | "overload" | "quota" | "other";
}

/** Bodies differ: `{"error": "…"}`, `{"error": {"message", "type", "code"}}`, `{"message": "…"}`, prose, HTML. */
function saidIn(body: string, secrets: readonly string[]): Said {
  const parsed = parseJson(body);
  if (parsed === undefined) {
    const text = /^\s*</u.test(body) ? "an HTML page" : readableDetail(body, secrets);
    return { text, kind: "other" };
  }
  const outer = recordOf(parsed);
  const inner = recordOf(outer.error);
  const words = [inner.type, inner.code, outer.code].join(" ");
  const message = [inner.message, outer.error, outer.message, outer.detail].find(
    (each) => typeof each === "string",
  );
  return { text: readableDetail(String(message ?? ""), secrets), kind: kindOf(words) };
}

function kindOf(words: string): Said["kind"] {
  if (/insufficient_quota|billing/u.test(words)) return "quota";
  if (/rate_limit/u.test(words)) return "rate";
  return /overload/u.test(words) ? "overload" : "other";
}

function recordOf(value: unknown): { readonly [name: string]: unknown } {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
