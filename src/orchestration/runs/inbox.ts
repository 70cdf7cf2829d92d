import type { RunId } from "../../domain/values/ids.ts";
import type { Instant } from "../../domain/values/instant.ts";
import { listRuns, type RunSource } from "./list-runs.ts";

/** Something that waits for a person, with what can be done about it. */
export interface InboxItem {
  readonly kind: "question" | "needs_human";
  /** Of the question; of the run for a loop that ended without approval. */
  readonly id: string;
  readonly runId: RunId;
  readonly text: string;
  readonly choices: readonly string[];
  /** Names the state that an answer is about. */
  readonly version: number;
  readonly since: Instant;
}

const most = 500;

/** Open questions, and loops that ended without approval and without a ruling; oldest first. */
export async function loadInbox(source: RunSource): Promise<readonly InboxItem[]> {
  const questions = await source.store.read((repos) => repos.inbox.open({ limit: most }));
  const asked = questions.map(
    ({ id, run, question, version, askedAt }): InboxItem => ({
      kind: "question",
      id,
      runId: run,
      text: question.text,
      choices: question.choices,
      version,
      since: askedAt,
    }),
  );
  const ended = (await listRuns(source, { limit: most, state: "finished" })).filter(
    ({ outcome }) => outcome !== undefined && outcome !== "approved",
  );
  const unruled: InboxItem[] = [];
  for (const { runId, outcome, title, updatedAt } of ended) {
    const rulings = await source.store.read((repos) => repos.rulings.of(runId));
    if (rulings.length > 0) continue;
    unruled.push({
      kind: "needs_human",
      id: runId,
      runId,
      text: `${title} (${outcome})`,
      choices: ["approve", "request-changes", "edit"],
      version: 0,
      since: updatedAt,
    });
  }
  return [...asked, ...unruled].sort((a, b) => (a.since < b.since ? -1 : 1));
}
