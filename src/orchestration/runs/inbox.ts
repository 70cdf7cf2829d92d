import type { RunId } from "../../domain/values/ids.ts";
import type { Instant } from "../../domain/values/instant.ts";
import type { InboxPage } from "../../ports/repos.ts";
import type { Decision } from "../../ports/run-store.ts";
import { loadOverview, type RunSource } from "./list-runs.ts";

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

/** Open questions, and loops that ended without approval and without a ruling; oldest first. */
export async function loadInbox(source: RunSource, page: InboxPage): Promise<readonly InboxItem[]> {
  const { questions, loops } = await source.store.read(async ({ inbox }) => ({
    questions: await inbox.open(page),
    loops: await inbox.unsigned(page),
  }));
  const unsigned: InboxItem[] = [];
  for (const { run, since } of loops) unsigned.push(await itemOfLoop(source, run, since));
  return [...questions.map(itemOfQuestion), ...unsigned].sort(byAge).slice(0, page.limit);
}

/** The open question with this id. */
export async function findQuestion(
  { store }: RunSource,
  id: string,
): Promise<InboxItem | undefined> {
  const asked = await store.runs.findDecision(id);
  return asked === undefined || asked.answer !== undefined ? undefined : itemOfQuestion(asked);
}

function itemOfQuestion({ id, run, question, version, askedAt }: Decision): InboxItem {
  const { text, choices } = question;
  return { kind: "question", id, runId: run, text, choices, version, since: askedAt };
}

async function itemOfLoop(source: RunSource, run: RunId, since: Instant): Promise<InboxItem> {
  const { overview } = (await loadOverview(source, run)) ?? {};
  const rulings = await source.store.read((repos) => repos.rulings.of(run));
  return {
    kind: "needs_human",
    id: run,
    runId: run,
    text: overview === undefined ? run : `${overview.title} (${overview.outcome})`,
    choices: ["approve", "request-changes", "edit"],
    version: rulings.length,
    since,
  };
}

/** The order of the pages: time, then id. */
function byAge(a: InboxItem, b: InboxItem): number {
  if (a.since !== b.since) return a.since < b.since ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}
