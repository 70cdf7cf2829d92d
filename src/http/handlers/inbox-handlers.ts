import { runId } from "../../domain/values/ids.ts";
import { answerQuestion } from "../../orchestration/runs/answer-question.ts";
import { loadInbox } from "../../orchestration/runs/inbox.ts";
import { listStages } from "../../orchestration/stages/list-stages.ts";
import type { Handlers } from "../handler.ts";
import type { StudioParts } from "../studio-parts.ts";
import { authorOf } from "./draft-handlers.ts";
import { started } from "./run-handlers.ts";

type InboxRoutes = "GET /api/v1/inbox" | "POST /api/v1/inbox/:item_id/decide";

export function inboxHandlers(parts: StudioParts): Pick<Handlers, InboxRoutes> {
  const { source, engine, clock, stages } = parts;
  return {
    "GET /api/v1/inbox": async () => ({
      status: 200,
      value: { items: await loadInbox(source, await listStages(stages)) },
    }),
    "POST /api/v1/inbox/:item_id/decide": async ({ params, body }) => {
      const { version, choice, comment, text, by } = body;
      const run = await answerQuestion(
        { engine, clock, store: source.store.runs },
        { id: params.itemId, version },
        {
          choice,
          by: authorOf(parts, by).by,
          ...(comment === undefined ? {} : { comment }),
          ...(text === undefined ? {} : { text }),
        },
      );
      return started(runId(run));
    },
  };
}
