import { resolve } from "node:path";
import { toWire } from "../../contract/documents/snake-case.ts";
import { runReviewShape } from "../../contract/scenarios/artifact-shapes.ts";
import { folderName } from "../../contract/scenarios/scenario-shape.ts";
import { NO_EXPECTATIONS, packOfOne, type Scenario } from "../../domain/scenarios/manifest.ts";
import { defined } from "../../domain/values/defined.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import { reviewImportedRun } from "../../orchestration/scenarios/review-imported-run.ts";
import { startCaseRun, startScenarioRun } from "../../orchestration/scenarios/run-pack.ts";
import { loadPairs, reviewRulesOf } from "../../wiring/features/imported-runs.ts";
import {
  loadCaseManifest,
  loadPackManifest,
  loadScenarioManifest,
} from "../../wiring/features/manifests.ts";
import { packPartsOf } from "../../wiring/features/pack-parts.ts";
import { requireQuestionModels } from "../../wiring/features/question-models.ts";
import { runFoldersOf } from "../../wiring/project/run-folders.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { exitCode } from "../shell/exit-code.ts";
import { printResult } from "../shell/print.ts";
import { pathsFor } from "../shell/show-path.ts";
import { followQuestions } from "./follow-questions.ts";
import {
  type ChoiceFlags,
  folderOf,
  manifestPath,
  projectOf,
  type QuestionRunFlags,
  runRequestOf,
} from "./question-run.ts";
import { runReviewLines } from "./render-run-review.ts";

export type ScenarioFlags = QuestionRunFlags & Pick<ChoiceFlags, "userModel">;

export interface CaseFlags extends QuestionRunFlags {
  readonly caseId: string;
  readonly rerun?: boolean;
}

export interface RunReviewFlags {
  readonly manifest?: string;
  readonly transcript?: string;
  readonly outputDir?: string;
  readonly printSummary?: boolean;
  readonly json?: boolean;
}

export async function runScenario(cli: CliContext, flags: ScenarioFlags): Promise<void> {
  const project = await projectOf(cli, flags);
  const scenario = loadScenarioManifest(manifestPath(cli, flags));
  const request = runRequestOf(cli, project, { flags, id: scenario.scenarioId });
  await requireQuestionModels(project, { pack: packOfOne(scenario), budget: request.budget });
  await followQuestions(cli, {
    project,
    flags,
    start: (opened) =>
      startScenarioRun(packPartsOf(opened, project.loaded.settings), { ...request, scenario }),
  });
}

export async function runCase(
  cli: CliContext,
  question: string | undefined,
  flags: CaseFlags,
): Promise<void> {
  const project = await projectOf(cli, flags);
  const scenario =
    question === undefined
      ? loadCaseManifest(manifestPath(cli, flags))
      : caseOf(question, flags.caseId);
  const request = runRequestOf(cli, project, { flags, id: scenario.scenarioId });
  await followQuestions(cli, {
    project,
    flags,
    start: (opened) =>
      startCaseRun(packPartsOf(opened, project.loaded.settings), {
        ...request,
        scenario,
        rerun: flags.rerun === true,
      }),
  });
}

export async function reviewRunCommand(
  cli: CliContext,
  id: string,
  flags: RunReviewFlags,
): Promise<void> {
  const project = await projectOf(cli, flags);
  const { root, loaded } = project;
  const { settings } = loaded;
  const { transcript, manifest, outputDir } = flags;
  const file = transcript && resolve(cli.cwd, transcript);
  const pairs = await loadPairs(root, settings, { id, ...defined({ transcript: file }) });
  const pack =
    manifest === undefined ? undefined : loadPackManifest(root, resolve(cli.cwd, manifest));
  const about = { outputDir, id: `gui_run_reviews/${id}` };
  const folder = folderOf(cli, project, about);
  const folders = runFoldersOf(root, loaded.guard.allow);
  const { review, outside } = await reviewImportedRun(
    folders,
    { runId: id, pairs, folder },
    reviewRulesOf(settings, pack),
  );
  cli.end(review.overallStatus === "clean" ? exitCode.accepted : exitCode.notAccepted);
  const json = toWire(runReviewShape, review, { absent: "omit" });
  const isLong = flags.printSummary === true;
  printResult(
    cli,
    flags,
    json,
    runReviewLines(review, {
      folder: pathsFor(cli, root)(folder),
      isLong,
      outside: outside.length,
    }),
  );
}

/** A question without a manifest is checked only against the general rules. */
function caseOf(question: string, caseId: string): Scenario {
  const name = folderName.safeParse(caseId);
  if (!name.success || question.trim() === "") {
    const what = name.success
      ? "The question is empty."
      : `"${caseId}" cannot name a folder: ${name.error.issues[0]?.message}.`;
    throw new ConfigurationError(what, { code: "case-invalid", facts: { case_id: caseId } });
  }
  return {
    scenarioId: caseId,
    domain: "case",
    title: caseId,
    description: "",
    bindings: {},
    analysisContext: {},
    steps: [
      {
        stepId: "case",
        title: caseId,
        question,
        dependsOn: [],
        criticality: "critical",
        expectations: NO_EXPECTATIONS,
        semanticTags: [],
      },
    ],
  };
}
