import { NEXT_ACTIONS, type NextAction, waitsForPerson } from "../../domain/stages/next-action.ts";
import type { RunId } from "../../domain/values/ids.ts";
import type { Instant } from "../../domain/values/instant.ts";
import type { ListedStage, StageListing } from "../stages/list-stages.ts";
import { listRuns, type RunSource } from "./list-runs.ts";

/** Something that waits for a person, with what can be done about it. */
export type InboxItem = RunItem | StageItem;

export interface RunItem extends Waiting {
  readonly kind: "question" | "needs_human";
  readonly runId: RunId;
  readonly choices: readonly string[];
}

/** A stage whose next step is a person's. */
export interface StageItem extends Waiting {
  readonly kind: "stage";
  readonly nextAction: NextAction;
  /** Ready to paste, in the project's folder. */
  readonly commands: readonly string[];
}

interface Waiting {
  /** Of the question or the stage; of the run for a loop that ended without approval. */
  readonly id: string;
  readonly text: string;
  /** Names the state that an answer is about. */
  readonly version: number;
  readonly since: Instant;
}

const most = 500;

/** Open questions, loops that ended without approval and without a ruling, and stages that wait; oldest first. */
export async function loadInbox(
  source: RunSource | undefined,
  { stages }: Pick<StageListing, "stages">,
): Promise<readonly InboxItem[]> {
  const items = [
    ...(source === undefined ? [] : await waitingRuns(source)),
    ...stages.flatMap(waitingStage),
  ];
  return items.sort((a, b) => (a.since < b.since ? -1 : 1));
}

async function waitingRuns(source: RunSource): Promise<readonly RunItem[]> {
  const questions = await source.store.read((repos) => repos.inbox.open({ limit: most }));
  const asked = questions.map(
    ({ id, run, question, version, askedAt }): RunItem => ({
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
  const unruled: RunItem[] = [];
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
  return [...asked, ...unruled];
}

/** What a loop asks is in the inbox as the loop's own question, and once is enough. */
function waitingStage({ summary, isAtWork }: ListedStage): readonly StageItem[] {
  const { stageId, moduleName, nextAction, nextStepGuidance, openLoop, history } = summary;
  const isAsked = nextAction === "user_decision_required" && openLoop !== undefined;
  if (isAtWork || isAsked || !waitsForPerson(nextAction)) return [];
  return [
    {
      kind: "stage",
      id: stageId,
      nextAction,
      text: `${moduleName}: ${NEXT_ACTIONS[nextAction]}`,
      commands: nextStepGuidance.commandTemplates,
      version: history.length,
      since: (history.at(-1)?.at ?? summary.updatedAt) as Instant,
    },
  ];
}
