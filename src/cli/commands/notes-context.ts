import { relative, resolve, sep } from "node:path";
import type { ModelAliases } from "../../domain/models/same-model.ts";
import { type ModelUse, modelUse } from "../../domain/settings/choose-models.ts";
import type { Json } from "../../domain/values/json.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { Scope } from "../../orchestration/gates/load-world.ts";
import { findProjectRoot, realPath } from "../../wiring/project-root.ts";
import type { LoadedSettings } from "../../wiring/settings.ts";
import type { CliContext } from "../cli-context.ts";
import { settingsFor } from "./cli-settings.ts";

export interface ScopeFlags {
  readonly gate?: readonly string[];
  readonly note?: readonly string[];
  readonly changedSince?: string;
  readonly where?: readonly string[];
  readonly model?: readonly string[];
  readonly script?: string;
  readonly json?: boolean;
}

export interface NotesSession {
  readonly root: string;
  readonly loaded: LoadedSettings;
}

/** Where the notes are, and the settings that hold for this command. */
export async function notesSession(
  cli: CliContext,
  flags: { readonly json?: boolean; readonly quiet?: boolean },
): Promise<NotesSession> {
  const root = rootOf(cli);
  const quiet = flags.json === true || flags.quiet === true;
  return { root, loaded: await settingsFor(cli, { root, quiet }) };
}

export function rootOf(cli: CliContext): string {
  return realPath(findProjectRoot(cli.cwd, cli.environment.home).path);
}

/** Paths as typed are relative to where the person stands; everything inside is relative to the root. */
export function scopeOf(
  cli: CliContext,
  root: string,
  { paths, flags }: { readonly paths: readonly string[]; readonly flags: ScopeFlags },
): Scope {
  return {
    paths: [...paths, ...(flags.note ?? [])].map((path) => pathInRoot(cli, root, path)),
    gates: flags.gate ?? [],
    ...(flags.changedSince === undefined ? {} : { changedSince: flags.changedSince }),
    where: (flags.where ?? []).map(readCondition),
  };
}

export function pathInRoot(cli: CliContext, root: string, path: string): string {
  const inside = relative(root, resolve(realPath(cli.cwd), path))
    .split(sep)
    .join("/");
  if (inside !== ".." && !inside.startsWith("../")) return inside === "" ? "." : inside;
  throw new ConfigurationError(`${path} is outside the project ${root}.`, {
    code: "path-outside",
    facts: { path, root },
  });
}

/** `--script F` is the model `script:F`; without `--model` those of the settings judge. */
export function modelsOf(
  cli: CliContext,
  { root, loaded }: NotesSession,
  { script, model }: ScopeFlags,
): readonly string[] {
  const { notes, aliases } = loaded.settings;
  if (script !== undefined) return [`script:${pathInRoot(cli, root, script)}`];
  return (
    model?.map((text) => readName(text, aliases).model) ?? notes.models.map((use) => use.model)
  );
}

/** Those that the user named; an alias is the project's word. */
export function namedModels(
  { loaded }: NotesSession,
  { model = [] }: ScopeFlags,
): readonly string[] {
  return model
    .map((text) => readName(text, loaded.settings.aliases))
    .filter(({ isFromProject }) => !isFromProject)
    .map((use) => use.model);
}

/** Reviews can be filed under the name of an agent that nobody can ask from here; asking refuses it. */
function readName(text: string, aliases: ModelAliases): ModelUse {
  try {
    return modelUse(text, "flag", aliases);
  } catch (error) {
    if (error instanceof ConfigurationError) return { model: text, isFromProject: false };
    throw error;
  }
}

function readCondition(text: string): { readonly key: string; readonly value: string } {
  const equals = text.indexOf("=");
  if (equals > 0) return { key: text.slice(0, equals), value: text.slice(equals + 1) };
  throw new ConfigurationError(`--where ${text} cannot be read.`, {
    code: "flag-invalid",
    facts: { flag: "--where", value: text },
    hint: "Write --where status=current.",
  });
}

export function printJson(cli: CliContext, json: Json): void {
  cli.screen.out.write(`${JSON.stringify(json, undefined, 2)}\n`);
}
