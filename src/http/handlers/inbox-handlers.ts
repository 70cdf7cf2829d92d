import { defined } from "../../domain/values/defined.ts";
import { runId } from "../../domain/values/ids.ts";
import { instant } from "../../domain/values/instant.ts";
import { answerQuestion } from "../../orchestration/runs/answer-question.ts";
import { loadInbox } from "../../orchestration/runs/inbox.ts";
import { listStages } from "../../orchestration/stages/list-stages.ts";
import { pageOf, readCursor } from "../cursor.ts";
import { type HandlersFor, ok } from "../handler.ts";
import type { StudioParts } from "../studio-parts.ts";
import { started, usualPage } from "./run-handlers.ts";

export function inboxHandlers(
  parts: StudioParts,
): HandlersFor<"GET /api/v1/inbox" | "POST /api/v1/inbox/:item_id/decide"> {
  const { source, engine, clock } = parts;
  return {
    "GET /api/v1/inbox": async ({ query }) => ok(await pageOfInbox(parts, query)),
    "POST /api/v1/inbox/:item_id/decide": async ({ params, body, author }) => {
      const { version, choice, comment, text } = body;
      const run = await answerQuestion(
        { engine, clock, store: source.store.runs },
        { id: params.itemId, version },
        { choice, by: author.by, ...defined({ comment, text }) },
      );
      return started(runId(run));
    },
  };
}

async function pageOfInbox(
  { source, stages }: StudioParts,
  { limit = usualPage, cursor }: { readonly limit?: number; readonly cursor?: string },
) {
  const after = cursor === undefined ? {} : { after: inboxCursor(cursor) };
  const found = await loadInbox(source, { limit: limit + 1, ...after }, await listStages(stages));
  const { items, next } = pageOf(found, limit, (last) => [last.since, last.id]);
  return { items, ...next };
}

function inboxCursor(cursor: string) {
  const [since, id] = readCursor(cursor, ["string", "string"]);
  return { since: instant(String(since)), id: String(id) };
}
