import type { z } from "zod";
import { toWire } from "../contract/documents/snake-case.ts";
import { problemShape } from "../contract/http/problem.ts";
import { defined } from "../domain/values/defined.ts";
import type { Json } from "../domain/values/json.ts";
import { AgentError, ConfigurationError, WorkflowError } from "../domain/values/workflow-error.ts";

interface ProblemFacts {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly details?: readonly string[];
  readonly headers?: { readonly [name: string]: string };
  /** Shown only in the server's own terminal. */
  readonly cause?: unknown;
}

/** A refusal by the HTTP layer itself: access, format, limits. */
export class HttpProblem extends Error {
  readonly status: number;
  readonly facts: ProblemFacts;

  constructor(status: number, facts: ProblemFacts) {
    super(facts.message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.status = status;
    this.facts = facts;
  }
}

/** A thrown value as a client sees it. An unexpected error is reported without any detail. */
export function problemOf(error: unknown): HttpProblem {
  if (error instanceof HttpProblem) return error;
  if (error instanceof WorkflowError) {
    const { code, message, hint, facts } = error;
    const details = Array.isArray(facts.problems) ? facts.problems.map(String) : undefined;
    return new HttpProblem(statusOf(error), { code, message, ...defined({ hint, details }) });
  }
  return new HttpProblem(500, {
    code: "internal-error",
    message: "An internal error occurred; this is a bug in signoff.",
    hint: "Run the server with --debug to see the details in its terminal.",
  });
}

export function problemJson(problem: HttpProblem, requestId: string): Json {
  const { headers: _, cause: __, ...facts } = problem.facts;
  return toWire(problemShape, { ...facts, requestId }, { absent: "null" });
}

/** Names each invalid member as it is spelled in the request. */
export function invalidRequest(error: z.ZodError): HttpProblem {
  const details = error.issues.map(
    ({ path, message }) => `${path.length === 0 ? "the body" : path.join(".")}: ${message}`,
  );
  return new HttpProblem(422, {
    code: "request-invalid",
    message: `The request is invalid: ${details.slice(0, 5).join("; ")}.`,
    hint: "See /api/docs for what is expected.",
    details: details.slice(0, 20),
  });
}

const statusByCode: ReadonlyMap<string, number> = new Map([
  ["run-unknown", 404],
  ["decision-unknown", 404],
  ["call-unknown", 404],
  ["episode-unknown", 404],
  ["candidate-unknown", 404],
  ["asset-moved", 409],
  ["note-unknown", 404],
  ["pair-not-applicable", 404],
  ["finding-unknown", 404],
  ["pair-moved", 409],
  ["pair-stale", 409],
  ["not-repeatable", 409],
  ["plan-moved", 409],
  ["never-reviewed", 409],
  ["already-dismissed", 409],
  ["review-running", 409],
  ["gate-dirty", 409],
  ["not-locked", 409],
  ["nothing-to-do", 409],
  ["episode-invalid", 409],
  ["pack-unknown", 404],
  ["step-unknown", 404],
  ["stage-unknown", 404],
  ["document-unknown", 404],
  ["stage-moved", 409],
  ["gate-not-open", 409],
  ["coder-at-work", 409],
  ["loop-at-work", 409],
  ["stage-closed", 409],
  ["stage-open", 409],
  ["nothing-to-decide", 409],
  ["repair-missing", 409],
  ["repair-executed", 409],
  ["repair-clear", 409],
  ["trust-needed", 409],
  ["run-unfinished", 409],
  ["run-damaged", 409],
  ["run-over", 409],
  ["run-undecided", 409],
  ["run-not-a-draft", 409],
  ["run-held", 409],
  ["already-decided", 409],
  ["no-turn", 409],
  ["idempotency-key-reused", 409],
  ["turn-unknown", 422],
  ["model-not-found", 400],
]);

function statusOf(error: WorkflowError): number {
  const known = statusByCode.get(error.code);
  if (known !== undefined) return known;
  if (error instanceof ConfigurationError) return 422;
  return error instanceof AgentError || error.code.startsWith("store-") ? 503 : 500;
}
