import { defined } from "../../domain/values/defined.ts";
import { reopenStage, ruleOnStage } from "../../orchestration/stages/close-stage.ts";
import { authorOf } from "../../wiring/project/author.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { invalidFlag } from "../shell/flag-values.ts";
import { ownReason } from "../shell/own-words.ts";
import { changeStage, type StageFlags, showState, stageOf } from "./stage-session.ts";

export interface ReopenFlags extends StageFlags {
  readonly reason?: string;
  readonly by?: string;
}

export interface RuleFlags extends ReopenFlags {
  readonly finding?: string;
  readonly repair?: string;
}

export async function reopenStageCommand(cli: CliContext, flags: ReopenFlags): Promise<void> {
  const opened = await stageOf(cli, flags);
  const reason = await ownReason(cli, flags, "Why is it opened again?");
  const { by } = await authorOf(cli, flags);
  const state = await changeStage(cli, opened, (parts) =>
    reopenStage(parts, opened.stage, { by, reason }),
  );
  await showState(cli, opened, { flags, state, said: [`Reopened by ${by}.`] });
}

export async function ruleOnStageCommand(cli: CliContext, flags: RuleFlags): Promise<void> {
  const { finding, repair } = flags;
  if ((finding === undefined) === (repair === undefined)) {
    throw invalidFlag("A ruling is about one thing.", "Give either --finding or --repair.");
  }
  const opened = await stageOf(cli, flags);
  const question = finding === undefined ? "Why can it be trusted?" : "Why does it need no repair?";
  const reason = await ownReason(cli, flags, question);
  const { by } = await authorOf(cli, flags);
  const state = await changeStage(cli, opened, (parts) =>
    ruleOnStage(parts, opened.stage, { by, reason, ...defined({ finding, repair }) }),
  );
  const what = finding === undefined ? `what ${repair} left behind` : `finding ${finding}`;
  await showState(cli, opened, { flags, state, said: [`${by} ruled on ${what}.`] });
}
