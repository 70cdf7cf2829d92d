import { inboxToJson } from "../../contract/http/inbox.ts";
import { defined } from "../../domain/values/defined.ts";
import type { RunId } from "../../domain/values/ids.ts";
import type { ConfigurationError } from "../../domain/values/workflow-error.ts";
import { answerQuestion, unknownQuestion } from "../../orchestration/runs/answer-question.ts";
import { findQuestion, loadInbox, type RunItem } from "../../orchestration/runs/inbox.ts";
import { listStages } from "../../orchestration/stages/list-stages.ts";
import { readStages } from "../../wiring/features/stage-reading.ts";
import { authorOf } from "../../wiring/project/author.ts";
import type { Project } from "../../wiring/project/project.ts";
import { readRuns } from "../../wiring/project/run-source.ts";
import { readInputText } from "../../wiring/project/save-text.ts";
import { clockOf } from "../../wiring/project/system-clock.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { settingsFor } from "../shell/cli-settings.ts";
import { invalidFlag } from "../shell/flag-values.ts";
import { type FollowFlags, followRun } from "../shell/follow-run.ts";
import { type JsonFlags, printResult, projectPlaceOf, rootOf } from "../shell/print.ts";
import { pathsFor } from "../shell/show-path.ts";
import { typedInRoot } from "../shell/typed-in-root.ts";
import { inboxLines } from "./render-inbox.ts";

export interface AnswerFlags extends FollowFlags {
  readonly choice?: string;
  readonly comment?: string;
  readonly textFile?: string;
  readonly by?: string;
}

const mostShown = 100;

export async function showInbox(cli: CliContext, flags: JsonFlags): Promise<void> {
  const clock = clockOf(cli.environment);
  const root = rootOf(cli);
  const { settings } = await settingsFor(cli, { root, quiet: flags.json === true });
  const stages = await readStages({ ...projectPlaceOf(cli), settings }, listStages);
  const found = await readRuns(projectPlaceOf(cli), (source) =>
    loadInbox(source, { limit: mostShown + 1 }, stages),
  );
  const items = found.slice(0, mostShown);
  const about = {
    ...{ now: clock.now(), hasMore: found.length > mostShown, typed: typedInRoot(cli, root) },
    shown: pathsFor(cli, root),
  };
  printResult(cli, flags, inboxToJson(items), inboxLines(items, about));
}

export async function answerCommand(
  cli: CliContext,
  id: string,
  flags: AnswerFlags,
): Promise<void> {
  const { by } = await authorOf(cli, flags);
  const text =
    flags.textFile === undefined ? undefined : await readInputText(cli.cwd, flags.textFile);
  const root = rootOf(cli);
  const { item, job } = await readRuns(projectPlaceOf(cli), async (source) => {
    const found = source === undefined ? undefined : await findQuestion(source, id);
    const record = found === undefined ? undefined : await source?.store.runs.load(found.runId);
    return { item: found, job: record?.job };
  });
  if (item === undefined) throw unknownQuestion(id);
  const choice = choiceOf(item, flags, text);
  const answer = (project: Project): Promise<RunId> => {
    const { comment } = flags;
    return answerQuestion({ ...project, store: project.store.runs }, item, {
      choice,
      by,
      ...defined({ comment, text }),
    });
  };
  const { episodeRunOf } = await import("../../orchestration/episodes/episode-run.ts");
  const episode = job === undefined ? undefined : episodeRunOf(job);
  if (episode === undefined) return followRun(cli, { project: { root }, flags, start: answer });
  const { resumeEpisodeRun } = await import("../episode/episode-resume.ts");
  return resumeEpisodeRun(cli, { run: item.runId, episode, root, flags, resume: answer });
}

function choiceOf(item: RunItem, flags: AnswerFlags, text: string | undefined): string {
  if (item.choices.length === 0 && text !== undefined) return "answered";
  if (item.choices.length === 0) throw textNeeded(item.id);
  const [only] = item.choices;
  const choice =
    flags.choice ?? (text !== undefined || item.choices.length === 1 ? only : undefined);
  if (choice !== undefined && item.choices.includes(choice)) return choice;
  const facts = { flag: "--choice", choices: item.choices };
  throw invalidFlag(`Say which: --choice ${item.choices.join(" | ")}.`, undefined, facts);
}

function textNeeded(id: string): ConfigurationError {
  const hint = "Give it with --text-file; `--text-file -` reads it from standard input.";
  return invalidFlag(`Question ${id} needs a text as its answer.`, hint, { flag: "--text-file" });
}
