import { resolve } from "node:path";
import type { ScenarioSettings } from "../../contract/manifests/scenario-settings.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { RunRequest } from "../../orchestration/scenarios/run-pack.ts";
import { folderInProject } from "../../wiring/pack-parts.ts";
import { findProjectRoot } from "../../wiring/project-root.ts";
import { assistantSettingsOf, loadScenarioSettings } from "../../wiring/scenario-settings.ts";
import type { CliContext } from "../cli-context.ts";
import type { QuestionFlags } from "./follow-questions.ts";

export interface ManifestFlags {
  readonly manifest?: string;
  readonly spec?: string;
}

export interface QuestionRunFlags extends QuestionFlags, ManifestFlags {
  readonly assistantUrl?: string;
  readonly outputDir?: string;
  readonly new?: boolean;
  readonly runId?: string;
}

export interface QuestionProject {
  readonly root: string;
  readonly settings: ScenarioSettings;
}

/** The project of a manifest: looked for upward from it, else from the working directory. */
export function projectOf(cli: CliContext): QuestionProject {
  const root = findProjectRoot(cli.cwd, cli.environment.home).path;
  return { root, settings: loadScenarioSettings(root) };
}

export function manifestPath(cli: CliContext, flags: ManifestFlags): string {
  const named = flags.manifest ?? flags.spec;
  if (named === undefined) {
    throw new ConfigurationError("A manifest is needed.", {
      code: "manifest-missing",
      hint: "Give it with --manifest FILE (or --spec FILE).",
    });
  }
  return resolve(cli.cwd, named);
}

/** Where the files of a run go, relative to the project. */
export function folderOf(
  cli: CliContext,
  { root, settings }: QuestionProject,
  at: { readonly outputDir?: string | undefined; readonly id: string },
): string {
  return at.outputDir === undefined
    ? `${settings.output_dir}/${at.id}`
    : folderInProject(root, cli.cwd, at.outputDir);
}

export function requestOf(
  cli: CliContext,
  project: QuestionProject,
  about: { readonly flags: QuestionRunFlags; readonly id: string },
): RunRequest {
  const { flags, id } = about;
  const assistantUrl = addressOf(flags, project.settings);
  // Whatever is wrong with the settings is said before a run exists.
  assistantSettingsOf(project.settings, assistantUrl);
  return {
    folder: folderOf(cli, project, { outputDir: flags.outputDir, id }),
    assistantUrl,
    ...(flags.new === true ? { fresh: true } : {}),
    ...(flags.runId === undefined ? {} : { run: flags.runId }),
  };
}

function addressOf(flags: QuestionRunFlags, settings: ScenarioSettings): string {
  const text = flags.assistantUrl ?? settings.assistant.base_url ?? "http://127.0.0.1:8787";
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "http:" || url?.protocol === "https:") return text;
  throw new ConfigurationError(`"${text}" is not the address of an assistant.`, {
    code: "address-invalid",
    facts: { address: text },
    hint: "Give one such as http://127.0.0.1:8787.",
  });
}
