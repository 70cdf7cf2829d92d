import { resolve } from "node:path";
import { defined } from "../../domain/values/defined.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import { budgetOf } from "../../orchestration/runs/budget-of.ts";
import type { QuestionChoice } from "../../orchestration/scenarios/choose-questions.ts";
import type { RunRequest } from "../../orchestration/scenarios/run-pack.ts";
import { modelInProject } from "../../wiring/features/prepare-draft.ts";
import { assistantAccessOf } from "../../wiring/features/question-models.ts";
import type { ProjectAccess } from "../../wiring/models/runners.ts";
import { folderInProject } from "../../wiring/project/run-folders.ts";
import { assistantSettingsOf } from "../../wiring/settings/scenario-settings.ts";
import type { LoadedSettings } from "../../wiring/settings/settings.ts";
import { readBudget } from "../shell/budget-flag.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { settingsFor } from "../shell/cli-settings.ts";
import { invalidFlag } from "../shell/flag-values.ts";
import { rootOf } from "../shell/print.ts";
import { isQuiet, type QuietFlags } from "../shell/quiet-flags.ts";
import type { QuestionFlags } from "./follow-questions.ts";

export interface ManifestFlags {
  readonly manifest?: string;
  readonly spec?: string;
}

/** A person vouches that an earlier run's assistant and this one are the same. */
export interface AssistantChangeFlags {
  readonly assistantChanged?: boolean;
  readonly reason?: string;
}

export function vouchedChange({ assistantChanged, reason = "" }: AssistantChangeFlags) {
  if (assistantChanged !== true) return undefined;
  if (reason.trim() !== "") return { reason };
  throw new ConfigurationError("--assistant-changed needs a reason.", {
    code: "reason-missing",
    hint: 'Give it with --reason "…".',
  });
}

export interface QuestionRunFlags extends QuestionFlags, ManifestFlags, AssistantChangeFlags {
  readonly assistantUrl?: string;
  readonly outputDir?: string;
  readonly new?: boolean;
  readonly budget?: string;
  readonly runId?: string;
}

/** Which of the questions are asked, and how many at once. */
export interface ChoiceFlags {
  readonly scenario?: readonly string[];
  readonly tag?: readonly string[];
  readonly failed?: boolean;
  readonly concurrency?: number;
  readonly userModel?: string;
}

export function choiceOf({ scenario: scenarios, tag: tags, failed }: ChoiceFlags): QuestionChoice {
  return defined({ scenarios, tags, failed });
}

/** Flags that override settings. */
interface ProjectFlags extends QuietFlags, Pick<ChoiceFlags, "concurrency" | "userModel"> {
  readonly assistantUrl?: string;
  readonly analyst?: string;
  readonly script?: string;
}

/** The project around the working directory, with the settings that apply to this command. */
export async function projectOf(cli: CliContext, flags: ProjectFlags): Promise<ProjectAccess> {
  const root = rootOf(cli);
  const { environment } = cli;
  const { assistantUrl, script } = flags;
  const named = script === undefined ? flags.analyst : `script:${script}`;
  const analyst = named && modelInProject(named, root, cli.cwd);
  const userModel = flags.userModel && modelInProject(flags.userModel, root, cli.cwd);
  const asked = {
    root,
    flags: defined({ assistantUrl, analyst, userModel }),
    quiet: isQuiet(flags),
  };
  const loaded = withConcurrency(await settingsFor(cli, asked), flags.concurrency);
  return { root, environment, loaded };
}

function withConcurrency(loaded: LoadedSettings, concurrency: number | undefined): LoadedSettings {
  if (concurrency === undefined) return loaded;
  if (concurrency < 1 || concurrency > 64) {
    throw invalidFlag("--concurrency must be from 1 to 64.", "Give how many questions may wait.");
  }
  const { settings } = loaded;
  const assistant = { ...settings.scenarios.assistant, concurrency };
  return { ...loaded, settings: { ...settings, scenarios: { ...settings.scenarios, assistant } } };
}

export function manifestPath(cli: CliContext, flags: ManifestFlags): string {
  const named = flags.manifest ?? flags.spec;
  if (named === undefined) {
    throw new ConfigurationError("A manifest is required.", {
      code: "manifest-missing",
      hint: "Name it with --manifest (or --spec).",
    });
  }
  return resolve(cli.cwd, named);
}

/** Where the files of a run go, relative to the project. */
export function folderOf(
  cli: CliContext,
  { root, loaded }: ProjectAccess,
  at: { readonly outputDir?: string | undefined; readonly id: string },
): string {
  if (at.outputDir === undefined) return `${loaded.settings.scenarios.outputDir}/${at.id}`;
  loaded.guard.remember({ kind: "folder", path: resolve(cli.cwd, at.outputDir) });
  return folderInProject(root, cli.cwd, at.outputDir);
}

export function runRequestOf(
  cli: CliContext,
  project: ProjectAccess,
  about: { readonly flags: QuestionRunFlags; readonly id: string },
): RunRequest {
  const { flags, id } = about;
  const { settings } = project.loaded;
  const { baseUrl: assistantUrl, name: assistantName } = settings.scenarios.assistant;
  // Reports a header that may not or cannot be sent before a run exists.
  const { session } = assistantSettingsOf(assistantAccessOf(project), assistantUrl);
  const budget = budgetOf(readBudget(flags.budget), settings);
  return {
    folder: folderOf(cli, project, { outputDir: flags.outputDir, id }),
    assistantUrl,
    sessions: session.kind,
    ...defined({ assistantName, assistantChange: vouchedChange(flags) }),
    ...(flags.new === true ? { fresh: true } : {}),
    ...defined({ budget, run: flags.runId }),
  };
}
