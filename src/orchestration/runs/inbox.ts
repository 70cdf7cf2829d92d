import { textStateWords } from "../../domain/episodes/text-standing.ts";
import { stateWords } from "../../domain/runs/run-words.ts";
import { excerpt } from "../../domain/scenarios/folded-text.ts";
import { NEXT_ACTIONS, type NextAction, waitsForPerson } from "../../domain/stages/next-action.ts";
import { defined } from "../../domain/values/defined.ts";
import type { RunId } from "../../domain/values/ids.ts";
import { type Instant, instant } from "../../domain/values/instant.ts";
import type { InboxPage } from "../../ports/repos.ts";
import type { Decision } from "../../ports/run-store.ts";
import { assetOfLoop, type LoopAsset } from "../episodes/asset-loops.ts";
import type { ListedStage, StageListing } from "../stages/list-stages.ts";
import { loadOverview, type RunOverview, type RunSource } from "./list-runs.ts";

/** Something that waits for a person, with what can be done about it. */
export type InboxItem = RunItem | StageItem;

export interface RunItem extends Waiting {
  readonly kind: "question" | "needs_human";
  readonly runId: RunId;
  readonly choices: readonly string[];
  /** A loop about a text of an episode is ruled on in its workspace. */
  readonly asset?: LoopAsset;
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

/** Open questions, loops that ended without approval and without a ruling, and stages that wait; oldest first. */
export async function loadInbox(
  source: RunSource | undefined,
  page: InboxPage,
  { stages }: Pick<StageListing, "stages">,
): Promise<readonly InboxItem[]> {
  const { after } = page;
  const waiting = waitingStages({ stages }).filter(
    (item) => after === undefined || byAge(item, after) > 0,
  );
  const runs = source === undefined ? [] : await waitingRuns(source, page);
  return [...runs, ...waiting].sort(byAge).slice(0, page.limit);
}

/** How many items the inbox has, without reading them. */
export async function countWaiting(
  { store }: Pick<RunSource, "store">,
  stages: Pick<StageListing, "stages">,
): Promise<number> {
  return (await store.read(({ inbox }) => inbox.count())) + waitingStages(stages).length;
}

async function waitingRuns(source: RunSource, page: InboxPage): Promise<readonly RunItem[]> {
  const { questions, loops } = await source.store.read(async ({ inbox }) => ({
    questions: await inbox.open(page),
    loops: await inbox.unsigned(page),
  }));
  const unsigned: RunItem[] = [];
  for (const { run, since } of loops) {
    const item = await itemOfLoop(source, run, since);
    if (item !== undefined) unsigned.push(item);
  }
  return [...questions.map(itemOfQuestion), ...unsigned];
}

function waitingStages({ stages }: Pick<StageListing, "stages">): readonly StageItem[] {
  return stages.flatMap(waitingStage);
}

/** A question of a loop is in the inbox already, so its stage is left out. */
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
      since: instant(history.at(-1)?.at ?? summary.updatedAt),
    },
  ];
}

/** The open question with this id. */
export async function findQuestion({ store }: RunSource, id: string): Promise<RunItem | undefined> {
  const asked = await store.runs.findDecision(id);
  return asked === undefined || asked.answer !== undefined ? undefined : itemOfQuestion(asked);
}

function itemOfQuestion({ id, run, question, version, askedAt }: Decision): RunItem {
  const { text, choices } = question;
  return { kind: "question", id, runId: run, text, choices, version, since: askedAt };
}

/** Undefined for a draft that a person approved just before a crash. */
async function itemOfLoop(
  source: RunSource,
  run: RunId,
  since: Instant,
): Promise<RunItem | undefined> {
  const { overview, record } = (await loadOverview(source, run)) ?? {};
  if (overview?.outcome === "approved") return undefined;
  const rulings = await source.store.read((repos) => repos.rulings.of(run));
  const asset = record === undefined ? undefined : assetOfLoop(record.job);
  return {
    kind: "needs_human",
    id: run,
    runId: run,
    text: asset === undefined ? titleOfRun(run, overview) : titleOfAsset(asset),
    choices: asset === undefined ? ["approve", "request-changes", "edit"] : ["pick", "unlock"],
    version: rulings.length,
    since,
    ...defined({ asset }),
  };
}

/** Its state comes last and must not be pushed away by a brief of many pages. */
const longestTitle = 160;

/** In the words of `runs list`. */
function titleOfRun(run: RunId, overview: RunOverview | undefined): string {
  return overview === undefined
    ? run
    : `${excerpt(overview.title, longestTitle)}: ${stateWords(overview)}`;
}

/** In the words of `episode status`. A workspace that is the whole project needs no name. */
function titleOfAsset({ assetId, workspace }: LoopAsset): string {
  const text = workspace === "." ? assetId : `${assetId} of ${workspace}`;
  return `${text}: ${textStateWords.needs_human}`;
}

type Place = Pick<Waiting, "since" | "id">;

/** The order of the pages: time, then id. */
function byAge(a: Place, b: Place): number {
  if (a.since !== b.since) return a.since < b.since ? -1 : 1;
  return Number(a.id > b.id) - Number(a.id < b.id);
}
