import { z } from "zod";
import {
  averageDurationPerTurn,
  type DraftSession,
  durationSeconds,
  succeeded,
  type Turn,
} from "../../domain/drafting/session.ts";
import type { Standing } from "../../domain/evidence/standing.ts";
import { defined } from "../../domain/values/defined.ts";
import { isObject, type Json } from "../../domain/values/json.ts";
import { lazily } from "../../domain/values/lazily.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import { objects, optionalObject } from "../documents/shapes.ts";
import { fromWire, toWire, wireJsonSchema } from "../documents/snake-case.ts";
import { decisionShape } from "../drafting/iteration.ts";
import { memberSignatureShape, reviewShape, voteShape } from "../drafting/review.ts";
import { usageShape } from "../drafting/usage.ts";
import { instantShape } from "../drafting/values.ts";
import { decidersShape, standingShape } from "./standings.ts";

export const completionReasons = [
  ...(["approved", "max_turns", "error", "cancelled", "interrupted", "stalled"] as const),
  ...(["oscillating", "late_issues", "budget"] as const),
] as const;

/** What became of a draft; a person's ruling counts before the loop's ending. */
const outcomes = [...completionReasons, "changes_requested", "edited"] as const;

/** Built when a session is first read or written: an import of the library should not wait for them. */
export const sessionShapes = lazily(() => {
  const turn = z.object({
    turnNumber: z.int(),
    text: z.string(),
    feedback: z.string().exactOptional(),
    approved: z.boolean(),
    timestamp: instantShape,
    durationSeconds: z.number(),
    review: reviewShape,
    signatures: z.array(memberSignatureShape).exactOptional(),
    vote: voteShape.exactOptional(),
    losers: objects({ text: z.string(), review: reviewShape }).exactOptional(),
  }) satisfies z.ZodType<Turn>;
  const session = z.object({
    runId: z.string(),
    recipe: z.string(),
    userInput: z.string(),
    modelName: z.string(),
    reviewerModels: z.array(z.string()),
    reviewers: objects({ label: z.string(), model: z.string() }),
    standIn: z.boolean(),
    deciders: decidersShape,
    maxTurns: z.int(),
    turns: z.array(turn),
    finalText: z.string().exactOptional(),
    completionReason: z.enum([...completionReasons]).exactOptional(),
    outcome: z.enum([...outcomes]).exactOptional(),
    ruling: optionalObject({
      act: z.enum(["approve", "request_changes", "edit"]),
      by: z.string(),
      at: instantShape,
      reason: z.string().exactOptional(),
      text: z.string().exactOptional(),
    }),
    rule: z.int().exactOptional(),
    error: optionalObject({ code: z.string(), message: z.string() }),
    decision: decisionShape.exactOptional(),
    createdAt: instantShape,
    completedAt: instantShape.exactOptional(),
    usage: usageShape,
  }) satisfies z.ZodType<DraftSession>;
  /** With the figures that can be computed from a session, so that clients need not. */
  const document = session.extend({
    turnCount: z.int(),
    succeeded: z.boolean(),
    durationSeconds: z.number().exactOptional(),
    averageDurationPerTurn: z.number().exactOptional(),
  });
  /** The recipe `slogan` repeats its texts under the names its users know. */
  const sloganDocument = document.extend({
    turns: z.array(turn.extend({ slogan: z.string() })),
    finalSlogan: z.string().exactOptional(),
  });
  /** Whether the draft is accepted, derived from its recorded replies when it was asked for. */
  const answer = document.extend({ standing: standingShape.exactOptional() });
  return { session, document, sloganDocument, answer };
});

/** The session as `--json`, saved files and the API show it. Absent is null. */
export function sessionToJson(session: DraftSession): Json {
  const document = { ...session, ...deriveFrom(session) };
  if (session.recipe !== "slogan") {
    return toWire(sessionShapes().document, document, { absent: "null" });
  }
  const slogan = {
    ...document,
    turns: session.turns.map((turn) => ({ ...turn, slogan: turn.text })),
    ...defined({ finalSlogan: session.finalText }),
  };
  return toWire(sessionShapes().sloganDocument, slogan, { absent: "null" });
}

/** The session as `runs show --json` and the API answer: with what its evidence comes to now. */
export function sessionAnswer(session: DraftSession, standing: Standing | undefined): Json {
  const wire = standing === undefined ? null : toWire(standingShape, standing, { absent: "omit" });
  return { ...(sessionToJson(session) as object), standing: wire };
}

/** A saved session again; what was derived is not trusted. Throws `ConfigurationError` naming what is wrong. */
export function sessionFromJson(json: unknown): DraftSession {
  // Sessions saved by older versions do not have these.
  const document = isObject(json as Json)
    ? { reviewers: [], deciders: [], ...(json as object) }
    : json;
  try {
    return fromWire(sessionShapes().session, document);
  } catch (cause) {
    if (!(cause instanceof z.ZodError)) throw cause;
    const problems = cause.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
    throw new ConfigurationError(`This is not a saved session: ${problems.join("; ")}.`, {
      code: "session-invalid",
      facts: { problems },
      cause,
    });
  }
}

/** JSON Schemas of the two forms, for the published contract. */
export function sessionJsonSchema(recipe: "slogan" | "other"): Json {
  const { document, sloganDocument } = sessionShapes();
  return wireJsonSchema(recipe === "slogan" ? sloganDocument : document);
}

function deriveFrom(session: DraftSession) {
  return {
    turnCount: session.turns.length,
    succeeded: succeeded(session),
    ...defined({
      durationSeconds: durationSeconds(session),
      averageDurationPerTurn: averageDurationPerTurn(session),
    }),
  };
}
