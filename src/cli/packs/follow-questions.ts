import { type RunReport, reportToJson } from "../../contract/http/pack-report.ts";
import { readRunEvent } from "../../contract/scenarios/run-events.ts";
import type { RunId } from "../../domain/values/ids.ts";
import { isUsedUp } from "../../orchestration/scenarios/question-budget.ts";
import { isUnreachable, reportOf } from "../../orchestration/scenarios/run-report.ts";
import type { StartedRun } from "../../orchestration/scenarios/start-run.ts";
import type { Ending } from "../../ports/flow.ts";
import type { Happening } from "../../ports/observer.ts";
import type { Project } from "../../wiring/project/project.ts";
import { saveText } from "../../wiring/project/save-text.ts";
import type { LoadedSettings } from "../../wiring/settings/settings.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { type ExitCode, exitCode, exitCodeOfEnding } from "../shell/exit-code.ts";
import { printErr, printFailure, printJson } from "../shell/print.ts";
import { printLines } from "../shell/screen.ts";
import {
  isQuiet,
  type ProjectOpening,
  type QuietFlags,
  withProject,
} from "../shell/with-project.ts";
import { renderRunReport, renderStepLine } from "./render-run-report.ts";
import { reportWriter } from "./report-file.ts";
import { showQuestionRun } from "./show-question-run.ts";

/** The project that is asked about, with the settings that hold for this command. */
export interface QuestionProject {
  readonly root: string;
  readonly loaded: LoadedSettings;
}

export interface QuestionFlags extends QuietFlags {
  /** Files to write the report to; the ending of each name says in which form. */
  readonly report?: readonly string[];
}

/** Works on a run of questions in this process until it ends, shows each step, and says how it ended. */
export async function followQuestions(
  cli: CliContext,
  follow: {
    readonly project: QuestionProject;
    readonly flags: QuestionFlags;
    readonly start: (project: Project) => Promise<StartedRun>;
  },
): Promise<void> {
  const { flags, start } = follow;
  for (const file of flags.report ?? []) reportWriter(file);
  await withProject(cli, questionOpening(cli, follow), async ({ project, say }) => {
    const run = await playToEnd(project, await start(project), say);
    await conclude(cli, { project, run, flags });
  });
}

/** A project whose runs show each judged step. */
export function questionOpening(
  cli: CliContext,
  { project, flags }: { readonly project: QuestionProject; readonly flags: QuestionFlags },
): ProjectOpening {
  return {
    ...{ ...project, flags, display: { notice: (happening) => showStep(cli, flags, happening) } },
    finishing: "Interrupted: the answer in flight is being recorded.",
  };
}

/** Waits for the end of a run that this process works on, and says first how it began. */
export async function playToEnd(
  project: Project,
  { run, continued, setAside }: StartedRun,
  say: (text: string) => void,
): Promise<RunId> {
  if (continued) say(`Going on with run ${run}, which was not finished (--new starts afresh).`);
  if (setAside !== undefined) say(`The earlier run is kept in ${setAside}.`);
  await project.engine.ending(run, new AbortController().signal);
  return run;
}

function showStep(cli: CliContext, flags: QuestionFlags, happening: Happening): void {
  if (isQuiet(flags)) return;
  if (happening.kind !== "event" || happening.event.kind !== "step-judged") return;
  const { scenarioId, record } = readRunEvent("step-judged", happening.event.data);
  const layout = cli.layoutOf(cli.screen.err);
  printLines(cli.screen.err, renderStepLine(scenarioId, record, layout));
}

async function conclude(
  cli: CliContext,
  ended: { readonly project: Project; readonly run: RunId; readonly flags: QuestionFlags },
): Promise<void> {
  const { project, run, flags } = ended;
  const record = await project.store.runs.load(run);
  const ending = record?.ending;
  if (record === undefined || ending === undefined) return;
  const report = reportOf(record);
  if (report === undefined) {
    sayUnfinished(cli, run, ending);
    if (flags.json === true) showQuestionRun(cli, record, flags);
    if (ending.kind === "waiting") await askHere(cli, project, ending.decisions);
    return;
  }
  for (const file of flags.report ?? []) await saveText(file, reportWriter(file)(report));
  cli.end(codeOf(report));
  if (flags.json === true) {
    printJson(cli, reportToJson(report));
    return;
  }
  printLines(cli.screen.out, renderRunReport(report, cli.layoutOf(cli.screen.out)));
}

/** The open question itself, so that nobody has to look for it. */
async function askHere(
  cli: CliContext,
  { store }: Project,
  decisions: readonly string[],
): Promise<void> {
  for (const id of decisions) {
    const { text = "", choices = [] } = (await store.runs.findDecision(id))?.question ?? {};
    printErr(cli, [{ text, style: "heading" }]);
    const again = `Type the command again with --decide ${choices.join(" or --decide ")}.`;
    printErr(cli, [{ text: again }]);
  }
}

/** A run without a result: it failed, waits or was stopped. */
export function sayUnfinished(cli: CliContext, run: RunId, ending: Ending): void {
  cli.end(exitCodeOfEnding(ending));
  if (ending.kind === "failed" && !isUsedUp(ending)) printFailure(cli, ending);
  else printErr(cli, [{ text: howItStopped(run, ending) }]);
}

function howItStopped(run: RunId, ending: Ending): string {
  if (isUsedUp(ending)) {
    return `Run ${run} has used up its budget. The same command with a larger --budget goes on where it was.`;
  }
  return ending.kind === "waiting"
    ? `Run ${run} waits for a decision.`
    : `Run ${run} is ${ending.kind}. Typing the same command again goes on where it was.`;
}

function codeOf(report: RunReport): ExitCode {
  if (report.accepted) return exitCode.accepted;
  if (isUnreachable(report)) return exitCode.outside;
  const waits = ["lead_coder_repair_required", "user_decision_required"];
  return waits.includes(report.nextAction ?? "") ? exitCode.waiting : exitCode.notAccepted;
}
