import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { rulingsToJson } from "../../contract/http/rulings.ts";
import { defined } from "../../domain/values/defined.ts";
import type { RunId } from "../../domain/values/ids.ts";
import {
  approveDraft,
  editDraft,
  type RulingParts,
  requestChanges,
} from "../../orchestration/drafting/rule-on-draft.ts";
import { findRun } from "../../orchestration/runs/list-runs.ts";
import { authorOf } from "../../wiring/project/author.ts";
import type { Project } from "../../wiring/project/project.ts";
import { runSourceOf } from "../../wiring/project/run-source.ts";
import { readInputText } from "../../wiring/project/save-text.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { invalidFlag } from "../shell/flag-values.ts";
import { type FollowFlags, followRun } from "../shell/follow-run.ts";
import { ownReason, ownWords } from "../shell/own-words.ts";
import { printResult, rootOf } from "../shell/print.ts";
import { withProject } from "../shell/with-project.ts";
import { readRun } from "./read-run.ts";

interface RulingFlags extends FollowFlags {
  readonly by?: string;
}

export interface ApproveFlags extends RulingFlags {
  readonly reason?: string;
  readonly turn?: number;
}

export interface ChangesFlags extends RulingFlags {
  readonly comment?: string;
}

export interface EditFlags extends RulingFlags {
  readonly text?: string;
  readonly file?: string;
  readonly reason?: string;
}

export async function approve(cli: CliContext, prefix: string, flags: ApproveFlags): Promise<void> {
  const author = await authorOf(cli, flags);
  const opening = { root: rootOf(cli), flags, runsNothing: true } as const;
  await withProject(cli, opening, async ({ project }) => {
    const run = await runOf(project, prefix);
    const { turn } = flags;
    const reason = await ownReason(cli, flags, "Why do you approve this text?");
    const act = { ...author, reason, ...defined({ turn }) };
    const ruling = await approveDraft(partsOf(project), run, act);
    const text = `${author.by} approved a text of run ${run}: ${ruling.text ?? ""}`;
    printResult(cli, flags, rulingsToJson([ruling]), text);
  });
}

export async function requestChangesTo(
  cli: CliContext,
  prefix: string,
  flags: ChangesFlags,
): Promise<void> {
  const author = await authorOf(cli, flags);
  const question = "What has to change?";
  const comment = await ownWords(cli, flags.comment, { flag: "--comment", question });
  await followRun(cli, {
    project: { root: rootOf(cli) },
    flags,
    start: async (project) => {
      const act = { ...author, comment };
      return (await requestChanges(partsOf(project), await runOf(project, prefix), act)).next;
    },
  });
}

export async function edit(cli: CliContext, prefix: string, asked: EditFlags): Promise<void> {
  const { file, ...flags } = { ...asked, text: await ownText(cli, asked) };
  const loop = await episodeLoopOf(cli, prefix);
  if (loop !== undefined) {
    const { editLoop } = await import("../episode/edit-command.ts");
    const workspace = resolve(rootOf(cli), loop.workspace);
    return editLoop(cli, { workspace, assetId: loop.assetId }, flags);
  }
  const author = await authorOf(cli, flags);
  const { text, reason } = flags;
  await followRun(cli, {
    project: { root: rootOf(cli) },
    flags,
    start: async (project) => {
      const act = { ...author, text, ...defined({ reason }) };
      return (await editDraft(partsOf(project), await runOf(project, prefix), act)).next;
    },
  });
}

async function ownText(cli: CliContext, { text, file }: EditFlags): Promise<string> {
  if (text !== undefined && file !== undefined) {
    throw invalidFlag("Give --text or --file, not both.");
  }
  const given = file === undefined ? text : await readInputText(cli.cwd, file);
  const question = "What is your text? One of several lines is read with --file.";
  return ownWords(cli, given, { flag: file === undefined ? "--text" : "--file", question });
}

/** A text of an episode is edited in its workspace. */
async function episodeLoopOf(cli: CliContext, prefix: string) {
  const { assetOfLoop } = await import("../../orchestration/episodes/asset-loops.ts");
  return readRun(cli, prefix, async ({ store }, run) => {
    const record = await store.runs.load(run);
    return record && assetOfLoop(record.job);
  });
}

function partsOf(project: Project): RulingParts {
  return { ...project, newId: randomUUID };
}

function runOf(project: Project, prefix: string): Promise<RunId> {
  return findRun(runSourceOf(project.store, project.clock), prefix);
}
