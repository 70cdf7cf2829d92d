import { randomUUID } from "node:crypto";
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
import { openProject, type Project } from "../../wiring/project/project.ts";
import { runSourceOf } from "../../wiring/project/run-source.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { type FollowFlags, followRun } from "../shell/follow-run.ts";
import { layOut } from "../shell/lay-out.ts";
import { rootOf } from "../shell/print.ts";
import { printJson } from "../shell/print-json.ts";
import { printLines } from "../shell/screen.ts";

interface RulingFlags extends FollowFlags {
  readonly by?: string;
}

export interface ApproveFlags extends RulingFlags {
  readonly reason: string;
  readonly turn?: number;
}

export interface ChangesFlags extends RulingFlags {
  readonly comment: string;
}

export interface EditFlags extends RulingFlags {
  readonly text: string;
  readonly reason?: string;
}

export async function approve(cli: CliContext, prefix: string, flags: ApproveFlags): Promise<void> {
  const author = await authorOf(cli, flags);
  const project = openProject({ root: rootOf(cli), environment: cli.environment });
  try {
    const run = await runOf(project, prefix);
    const { reason, turn } = flags;
    const act = { ...author, reason, ...defined({ turn }) };
    const ruling = await approveDraft(partsOf(project), run, act);
    if (flags.json === true) {
      return printJson(cli.screen.out, rulingsToJson([ruling]));
    }
    const text = `${author.by} approved a text of run ${run}: ${ruling.text ?? ""}`;
    printLines(cli.screen.out, layOut([{ text }], cli.layoutOf(cli.screen.out)));
  } finally {
    project.close();
  }
}

export async function requestChangesTo(
  cli: CliContext,
  prefix: string,
  flags: ChangesFlags,
): Promise<void> {
  const author = await authorOf(cli, flags);
  await followRun(cli, {
    project: { root: rootOf(cli) },
    flags,
    start: async (project) => {
      const act = { ...author, comment: flags.comment };
      return (await requestChanges(partsOf(project), await runOf(project, prefix), act)).next;
    },
  });
}

export async function edit(cli: CliContext, prefix: string, flags: EditFlags): Promise<void> {
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

function partsOf(project: Project): RulingParts {
  return { ...project, newId: randomUUID };
}

function runOf(project: Project, prefix: string): Promise<RunId> {
  return findRun(runSourceOf(project.store, project.clock), prefix);
}
