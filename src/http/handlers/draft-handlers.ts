import type { z } from "zod";
import { sessionAnswer } from "../../contract/http/draft-session.ts";
import type { newRulingShape } from "../../contract/http/drafts.ts";
import { defined } from "../../domain/values/defined.ts";
import { type RunId, runId } from "../../domain/values/ids.ts";
import { deriveStanding } from "../../orchestration/drafting/derive-draft.ts";
import {
  type LoadedDraft,
  loadDraft,
  loadPhase,
} from "../../orchestration/drafting/load-session.ts";
import {
  type Author,
  approveDraft,
  editDraft,
  type RulingParts,
  requestChanges,
} from "../../orchestration/drafting/rule-on-draft.ts";
import { unknownRun } from "../../orchestration/runs/list-runs.ts";
import type { RunRuling } from "../../ports/repos.ts";
import { createDraft } from "../create-draft.ts";
import { type HandlersFor, ok } from "../handler.ts";
import { HttpProblem } from "../http-problem.ts";
import type { StudioParts } from "../studio-parts.ts";
import { cancelAndLoad, pageOfRuns, started } from "./run-handlers.ts";

export function draftHandlers(
  parts: StudioParts,
): HandlersFor<`${"GET" | "POST"} /api/v1/drafts${string}`> {
  const { source, engine } = parts;
  return {
    "GET /api/v1/drafts": async ({ query }) =>
      ok(await pageOfRuns(parts, { ...query, kind: "draft" })),
    "POST /api/v1/drafts": async ({ body, idempotencyKey, author }) => {
      const { panel, from, by: _, ...asked } = body;
      const own = from === undefined ? undefined : { text: from, by: author.by };
      const request = { ...asked, ...defined({ panelRule: panel, own }) };
      return started(await createDraft(parts, request, idempotencyKey));
    },
    "GET /api/v1/drafts/:run_id": async ({ params }) => {
      const { session, record } = await existingDraft(parts, params.runId);
      const standing = await deriveStanding(source, record.run);
      return { status: 200, wire: sessionAnswer(session, standing) };
    },
    "GET /api/v1/drafts/:run_id/turns": async ({ params }) => {
      const { previous, iterations, record } = await existingDraft(parts, params.runId);
      const phase = await loadPhase(source.store.runs, record.run);
      return ok({ ...phase, previous, turns: iterations });
    },
    "POST /api/v1/drafts/:run_id/cancel": async ({ params, body }) => {
      const { record } = await existingDraft(parts, params.runId);
      return ok(await cancelAndLoad(parts, record.run, body.reason));
    },
    "POST /api/v1/drafts/:run_id/resume": async ({ params, body }) => {
      const { record } = await existingDraft(parts, params.runId);
      await engine.resume(record.run, body);
      return started(record.run);
    },
    "GET /api/v1/drafts/:run_id/rulings": async ({ params }) => {
      const { record } = await existingDraft(parts, params.runId);
      const rulings = await source.store.read((repos) => repos.rulings.of(record.run));
      return ok({ rulings });
    },
    "POST /api/v1/drafts/:run_id/rulings": async ({ params, body, author }) => {
      const { record } = await existingDraft(parts, params.runId);
      const { ruling, next } = await rule(parts, record.run, { ...body, ...author });
      return { status: 201, value: { ruling, ...defined({ nextRunId: next }) } };
    },
  };
}

export type RulingRequest = Omit<z.output<typeof newRulingShape>, "version"> &
  Author & { readonly version: number };

/** One orchestration call for each act, the same as for `signoff runs approve`, `request-changes` and `edit`. */
async function rule(
  parts: StudioParts,
  run: RunId,
  { act, version, reason, turn, text, by, knownHow }: RulingRequest,
): Promise<{ readonly ruling: RunRuling; readonly next?: RunId }> {
  const to: RulingParts = { ...parts, store: parts.source.store };
  const author = { by, knownHow, ifVersion: version };
  if (act === "approve") {
    const act = { ...author, ...defined({ reason, turn }) };
    return { ruling: await approveDraft(to, run, act) };
  }
  if (reason === undefined) throw missing("reason", "Say why.");
  if (act === "request_changes") return requestChanges(to, run, { ...author, comment: reason });
  if (text === undefined) throw missing("text", "An edit needs the text.");
  return editDraft(to, run, { ...author, text, reason });
}

function missing(member: string, message: string): HttpProblem {
  return new HttpProblem(422, {
    code: "request-invalid",
    message,
    details: [`${member}: is missing`],
  });
}

async function existingDraft({ source }: StudioParts, run: string): Promise<LoadedDraft> {
  const loaded = await loadDraft(source.store, runId(run));
  if (loaded === undefined) throw unknownRun(run);
  return loaded;
}
