import { relative, resolve, sep } from "node:path";
import { panelPartition } from "../../domain/gates/panel-vote.ts";
import { modelUse } from "../../domain/settings/choose-models.ts";
import { defined } from "../../domain/values/defined.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { NotesScope } from "../../orchestration/gates/load-world.ts";
import type { StatusReason } from "../../orchestration/gates/status-report.ts";
import { notesPanels } from "../../wiring/features/notes-panels.ts";
import { realPath } from "../../wiring/project/project-root.ts";
import type { LoadedSettings } from "../../wiring/settings/settings.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { settingsFor } from "../shell/cli-settings.ts";
import { invalidFlag } from "../shell/flag-values.ts";
import { rootOf } from "../shell/print.ts";
import { isQuiet, type QuietFlags } from "../shell/quiet-flags.ts";

export interface ScopeFlags {
  readonly gate?: readonly string[];
  readonly note?: readonly string[];
  readonly changedSince?: string;
  readonly where?: readonly string[];
  readonly model?: readonly string[];
  readonly script?: string;
  readonly panel?: string;
  readonly json?: boolean;
}

export interface StatusFlags extends ScopeFlags {
  readonly reason?: readonly StatusReason[];
  readonly diff?: boolean;
  readonly strictFormat?: boolean;
  readonly explain?: string;
  readonly all?: boolean;
}

export interface NotesSession {
  readonly root: string;
  readonly loaded: LoadedSettings;
}

/** Where the notes are, and the settings that apply to this command. */
export async function notesSession(cli: CliContext, flags: QuietFlags): Promise<NotesSession> {
  const root = realPath(rootOf(cli));
  return { root, loaded: await settingsFor(cli, { root, quiet: isQuiet(flags) }) };
}

/** Typed paths are relative to the working directory; everything inside is relative to the root. */
export function scopeOf(
  cli: CliContext,
  root: string,
  { paths, flags }: { readonly paths: readonly string[]; readonly flags: ScopeFlags },
): NotesScope {
  return {
    paths: [...paths, ...(flags.note ?? [])].map((path) => pathInRoot(cli, root, path)),
    gates: flags.gate ?? [],
    ...defined({ changedSince: flags.changedSince }),
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

/** `NOTE:GATE` with a typed path, split at the last colon: a path may contain colons, a gate id may not. */
export function pairInRoot(cli: CliContext, root: string, name: string): string {
  const colon = name.lastIndexOf(":");
  if (colon <= 0) return name;
  return `${pathInRoot(cli, root, name.slice(0, colon))}${name.slice(colon)}`;
}

/** The models whose reviews are looked at: `--script F` is `script:F`, without `--model` those of the settings. */
export function modelsOf(
  cli: CliContext,
  { root, loaded }: NotesSession,
  flags: ScopeFlags,
): readonly string[] {
  const { script, model } = flags;
  const { notes, aliases } = loaded.settings;
  if (flags.panel !== undefined) {
    membersOf(loaded, flags.panel);
    return [panelPartition(flags.panel)];
  }
  if (script !== undefined) return [`script:${pathInRoot(cli, root, script)}`];
  const filed = (text: string) => (Object.hasOwn(aliases, text) ? (aliases[text] ?? text) : text);
  return model?.map(filed) ?? notes.models.map((use) => use.model);
}

/** The models of a panel's members, each once. */
function membersOf({ settings }: LoadedSettings, panel: string): readonly string[] {
  const panels = notesPanels(settings);
  const found = Object.hasOwn(panels, panel) ? panels[panel] : undefined;
  if (found !== undefined) return [...new Set(found.members.map(({ model }) => model))];
  const known = Object.keys(panels);
  const hint =
    known.length === 0
      ? "Name one under notes.panels in signoff.yaml, with its members."
      : `There are: ${known.join(", ")}.`;
  throw invalidFlag(`There is no panel "${panel}".`, hint, { flag: "--panel", value: panel });
}

/** The models that will judge. A bare name is Ollama's here, while reviews can be filed under any name. */
export function modelsToAsk(
  cli: CliContext,
  session: NotesSession,
  flags: ScopeFlags,
): readonly string[] {
  const { settings, guard } = session.loaded;
  const { script, model } = flags;
  if (flags.panel !== undefined) return membersOf(session.loaded, flags.panel);
  if (script !== undefined) return modelsOf(cli, session, flags);
  const uses =
    model?.map((text) => modelUse(text, "flag", settings.aliases)) ?? settings.notes.models;
  // A plan may leave a model out, so one that needs trust is refused only when it would be asked.
  for (const use of uses) if (!use.isFromProject) guard.choose(use);
  return uses.map((use) => use.model);
}

function readCondition(text: string): { readonly key: string; readonly value: string } {
  const equals = text.indexOf("=");
  if (equals > 0) return { key: text.slice(0, equals), value: text.slice(equals + 1) };
  const facts = { flag: "--where", value: text };
  throw invalidFlag(`--where ${text} cannot be read.`, "Write --where status=current.", facts);
}
