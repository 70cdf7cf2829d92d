import { inboxToJson } from "../../contract/http/inbox.ts";
import { defined } from "../../domain/values/defined.ts";
import type { RunId } from "../../domain/values/ids.ts";
import { ConfigurationError, WorkflowError } from "../../domain/values/workflow-error.ts";
import { answerQuestion } from "../../orchestration/runs/answer-question.ts";
import { findQuestion, loadInbox, type RunItem } from "../../orchestration/runs/inbox.ts";
import { listStages } from "../../orchestration/stages/list-stages.ts";
import { stageCatalogOf } from "../../wiring/features/stage-reading.ts";
import { authorOf } from "../../wiring/project/author.ts";
import type { Project } from "../../wiring/project/project.ts";
import { readInputText } from "../../wiring/project/read-input-text.ts";
import { readRuns } from "../../wiring/project/run-source.ts";
import { clockOf } from "../../wiring/project/system-clock.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { settingsFor } from "../shell/cli-settings.ts";
import { type FollowFlags, followRun } from "../shell/follow-run.ts";
import { printJson, rootOf } from "../shell/print.ts";
import { printLines } from "../shell/screen.ts";
import { renderInbox } from "./render-inbox.ts";

export interface InboxFlags {
  readonly json?: boolean;
}

export interface AnswerFlags extends FollowFlags {
  readonly choice?: string;
  readonly comment?: string;
  readonly textFile?: string;
  readonly by?: string;
}

const mostShown = 100;

export async function showInbox(cli: CliContext, flags: InboxFlags): Promise<void> {
  const clock = clockOf(cli.environment);
  const root = rootOf(cli);
  const { settings } = await settingsFor(cli, { root, quiet: flags.json === true });
  const stages = await listStages(stageCatalogOf(root, settings));
  const found = await readRuns(root, clock, (source) =>
    loadInbox(source, { limit: mostShown + 1 }, stages),
  );
  const items = found.slice(0, mostShown);
  if (flags.json === true) {
    return printJson(cli, inboxToJson(items));
  }
  const layout = cli.layoutOf(cli.screen.out);
  printLines(
    cli.screen.out,
    renderInbox({ items, hasMore: found.length > mostShown }, clock.now(), layout),
  );
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
  const clock = clockOf(cli.environment);
  const { item, job } = await readRuns(root, clock, async (source) => {
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
  throw new ConfigurationError(`Say which: --choice ${item.choices.join(" | ")}.`, {
    code: "flag-invalid",
    facts: { flag: "--choice", choices: item.choices },
  });
}

function textNeeded(id: string): ConfigurationError {
  return new ConfigurationError(`The question ${id} wants a text as its answer.`, {
    code: "flag-invalid",
    facts: { flag: "--text-file" },
    hint: "Give it with --text-file <file>, or --text-file - for standard input.",
  });
}

function unknownQuestion(id: string): WorkflowError {
  return new WorkflowError(`There is no open question ${id}.`, {
    code: "decision-unknown",
    facts: { question: id },
    hint: "See `signoff inbox`.",
  });
}
