import { resolve } from "node:path";
import { type RunReport, reportToJson } from "../../contract/http/pack-report.ts";
import { readRunEvent } from "../../contract/scenarios/run-events.ts";
import type { RunId } from "../../domain/values/ids.ts";
import { isUsedUp } from "../../orchestration/scenarios/question-budget.ts";
import { reportOf } from "../../orchestration/scenarios/run-report.ts";
import type { StartedRun } from "../../orchestration/scenarios/start-run.ts";
import type { Ending } from "../../ports/flow.ts";
import type { Happening } from "../../ports/observer.ts";
import type { ProjectAccess } from "../../wiring/models/runners.ts";
import type { Project } from "../../wiring/project/project.ts";
import { saveText } from "../../wiring/project/save-text.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { type ExitCode, exitCode, exitCodeOfEnding } from "../shell/exit-code.ts";
import { printErr, printFailure, printResult } from "../shell/print.ts";
import { isQuiet, type QuietFlags } from "../shell/quiet-flags.ts";
import { pathsFor, type ShowPath } from "../shell/show-path.ts";
import { keepMemorySteady } from "../shell/steady-memory.ts";
import { heading } from "../shell/styles.ts";
import { type ProjectOpening, withProject } from "../shell/with-project.ts";
import { runReportLines, stepLine } from "./render-run-report.ts";
import { reportWriter } from "./report-file.ts";
import { showQuestionRun } from "./show-question-run.ts";

export interface QuestionFlags extends QuietFlags {
  /** Files to write the report to; the extension of each selects the format. */
  readonly report?: readonly string[];
}

/** Runs questions in this process to the end, shows each step, and reports how it ended. */
export async function followQuestions(
  cli: CliContext,
  follow: {
    readonly project: ProjectAccess;
    readonly flags: QuestionFlags;
    readonly start: (project: Project) => Promise<StartedRun>;
  },
): Promise<void> {
  const { flags, start } = follow;
  keepMemorySteady();
  for (const file of flags.report ?? []) reportWriter(file);
  await withProject(cli, questionOpening(cli, follow), async ({ project, say }) => {
    const shown = pathsFor(cli, project.root);
    const ended = await playToEnd(project, await start(project), { say, shown });
    await conclude(cli, { project, ...ended, flags });
  });
}

/** A project whose runs show each judged step. */
export function questionOpening(
  cli: CliContext,
  { project, flags }: { readonly project: ProjectAccess; readonly flags: QuestionFlags },
): ProjectOpening {
  return {
    ...{ ...project, flags, display: { notice: (happening) => showStep(cli, flags, happening) } },
    finishing: "Interrupted: the answer in flight is being recorded.",
  };
}

/** What is known of a run that has ended, without reading it again: the answers of a large pack are held once. */
export interface EndedRun {
  readonly run: RunId;
  readonly ending: Ending;
  /** Undefined where it ended without a result. */
  readonly report: RunReport | undefined;
}

/** Waits for the end of a run of this process; first reports whether it was resumed. */
export async function playToEnd(
  project: Project,
  { run, continued, setAside, kind, folder }: StartedRun,
  { say, shown }: { readonly say: (text: string) => void; readonly shown: ShowPath },
): Promise<EndedRun> {
  if (continued) say(`Resuming unfinished run ${run} (--new starts over).`);
  if (setAside !== undefined) say(`The earlier run is kept in ${shown(setAside)}.`);
  const ending = await project.engine.ending(run, new AbortController().signal);
  return { run, ending, report: reportOf({ run, job: { kind, input: { folder } }, ending }) };
}

function showStep(cli: CliContext, flags: QuestionFlags, happening: Happening): void {
  if (isQuiet(flags)) return;
  if (happening.kind !== "event" || happening.event.kind !== "step-judged") return;
  const { scenarioId, record } = readRunEvent("step-judged", happening.event.data);
  printErr(cli, [stepLine(scenarioId, record)]);
}

async function conclude(
  cli: CliContext,
  ended: EndedRun & { readonly project: Project; readonly flags: QuestionFlags },
): Promise<void> {
  const { project, run, ending, report, flags } = ended;
  if (report === undefined) {
    sayUnfinished(cli, run, ending);
    const record = flags.json === true ? await project.store.runs.load(run) : undefined;
    if (record !== undefined) showQuestionRun(cli, record, flags);
    if (ending.kind === "waiting") await askHere(cli, project, ending.decisions);
    return;
  }
  for (const file of flags.report ?? []) {
    await saveText(resolve(cli.cwd, file), reportWriter(file)(report));
  }
  cli.end(codeOf(report));
  printResult(
    cli,
    flags,
    reportToJson(report),
    runReportLines(report, pathsFor(cli, project.root)),
  );
}

/** Prints the open question itself. */
async function askHere(
  cli: CliContext,
  { store }: Project,
  decisions: readonly string[],
): Promise<void> {
  for (const id of decisions) {
    const { text = "", choices = [] } = (await store.runs.findDecision(id))?.question ?? {};
    const again = `Run the command again with --decide ${choices.join(" or --decide ")}.`;
    printErr(cli, [heading(text), again]);
  }
}

/** Reports a run without a result: it failed, needs input or was stopped. */
export function sayUnfinished(cli: CliContext, run: RunId, ending: Ending): void {
  cli.end(exitCodeOfEnding(ending));
  if (ending.kind === "failed" && !isUsedUp(ending)) printFailure(cli, ending);
  else printErr(cli, howItStopped(run, ending));
}

function howItStopped(run: RunId, ending: Ending): string {
  if (isUsedUp(ending)) {
    return `Run ${run} has used up its budget. Run the same command with a larger --budget to resume it.`;
  }
  return ending.kind === "waiting"
    ? `Run ${run} needs a decision.`
    : `Run ${run} is ${ending.kind}. Run the same command again to resume it.`;
}

function codeOf(report: RunReport): ExitCode {
  if (report.accepted) return exitCode.accepted;
  const waits = ["lead_coder_repair_required", "user_decision_required"];
  return waits.includes(report.nextAction ?? "") ? exitCode.waiting : exitCode.notAccepted;
}
