import { starterNotesConfig } from "../../contract/config/starter-notes-config.ts";
import { parseFrontMatter } from "../../contract/documents/front-matter.ts";
import {
  type FoundFolder,
  type NotesLayout,
  proposeLayout,
} from "../../domain/gates/propose-layout.ts";
import { modelUse, standInModel } from "../../domain/settings/choose-models.ts";
import { findingsPath } from "../../orchestration/gates/finding-details.ts";
import type { NotesTools } from "../../orchestration/gates/notes-tools.ts";
import { rulingsPath } from "../../orchestration/gates/rulings-path.ts";
import { mergeByUnion } from "../../orchestration/gates/union-merge.ts";
import { toolsOf } from "../../wiring/features/notes-reading.ts";
import { loadStarterGates } from "../../wiring/features/starter-gates.ts";
import { renderCount } from "../shell/amounts.ts";
import { chooseModel, installedModels, type PickedModel } from "../shell/choose-model.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { copyable } from "../shell/copyable-command.ts";
import { exitCode } from "../shell/exit-code.ts";
import type { Line } from "../shell/lay-out.ts";
import { type JsonFlags, printResult } from "../shell/print.ts";
import { muted } from "../shell/styles.ts";
import { notesSession } from "./notes-context.ts";

export interface NotesInitFlags extends JsonFlags {
  readonly judge?: string;
}

const settingsFile = "signoff.yaml";

/**
 * Finds notes and gates, asks who judges, and writes what is missing. Of existing files only `.gitattributes` is added
 * to, if lock and rulings are not in it.
 */
export async function initNotes(cli: CliContext, flags: NotesInitFlags): Promise<void> {
  const { root, loaded } = await notesSession(cli, flags);
  const { environment } = cli;
  const tools = await toolsOf({ root, environment, settings: loaded.settings });
  const { files, settings } = tools;
  const hasSettings = files.exists(settingsFile);
  const layout = await findLayout(tools);
  const judge: PickedModel = hasSettings ? { kind: "open" } : await judgeFor(cli, root, flags);
  if (judge.kind === "cancelled") return cli.end(exitCode.interrupted);
  const starters = layout.gates === undefined ? await loadStarterGates() : [];
  const gates: FoundFolder = layout.gates ?? { folder: settings.gates, files: starters.length };
  const named = judge.kind === "picked" && judge.model !== standInModel ? judge.model : undefined;
  const wanted = [
    ...starters.map(({ path, content }) => ({ path: `${gates.folder}/${path}`, content })),
    { path: settingsFile, content: starterNotesConfig({ ...layout, gates }, named) },
  ];
  const missing = wanted.filter(({ path }) => !files.exists(path));
  await files.write(missing);
  const union = [settings.lock, rulingsPath(settings), findingsPath(settings)];
  const isMerged = await mergeByUnion(tools, ...union);
  const written = [...missing.map(({ path }) => path), ...(isMerged ? [".gitattributes"] : [])];
  const json = {
    written,
    roots: layout.roots.map(({ folder }) => folder),
    passed_over: [...layout.passedOver],
    gates: gates.folder,
    judge: named ?? null,
  };
  const lines = hasSettings
    ? writtenLines(written, [])
    : writtenLines(written, foundLines(layout, gates, named));
  printResult(cli, flags, json, lines);
}

async function findLayout({ source, settings }: NotesTools): Promise<NotesLayout> {
  const tree = await (await source.findTree(["."])).load();
  const found = tree.files.map(({ path }) => {
    const loaded = source.readText(path);
    const front = loaded.kind === "text" ? parseFrontMatter(loaded.text) : undefined;
    return front?.kind === "read" ? { path, keys: Object.keys(front.values) } : { path };
  });
  return proposeLayout(found, settings.gates);
}

async function judgeFor(
  cli: CliContext,
  root: string,
  flags: NotesInitFlags,
): Promise<PickedModel> {
  if (flags.judge !== undefined) {
    return { kind: "picked", model: modelUse(flags.judge, "flag").model };
  }
  const found = await installedModels(cli, root);
  return chooseModel(cli, { found, flags, question: "Which model should judge the notes?" });
}

function writtenLines(written: readonly string[], found: readonly Line[]): readonly Line[] {
  return [
    ...found,
    ...written.map((path) => `wrote ${path}`),
    written.length === 0
      ? "All files exist already."
      : "Commit them, then run: signoff notes status",
  ];
}

function foundLines(
  { roots, gates: existing, passedOver }: NotesLayout,
  gates: FoundFolder,
  judge: string | undefined,
): readonly Line[] {
  const notes = roots.map(({ folder, files }) => `${renderCount(files, "note")} in ${folder}`);
  return [
    notes.length === 0
      ? "No notes yet: put markdown files into notes/, or name your folders in notes.roots."
      : `Found ${notes.join(", ")}.`,
    ...passedOverLines(passedOver),
    existing === undefined
      ? `Starter gates are in ${gates.folder}.`
      : `Found ${renderCount(existing.files, "gate")} in ${existing.folder}; no starter gates were added.`,
    judge === undefined
      ? [
          muted("No model judges yet, only rule-based stand-ins: "),
          copyable("signoff config set models.judge ollama/qwen3"),
        ]
      : `${judge} judges.`,
  ];
}

const mostNamed = 5;

/** Files outside the roots are not reviewed; which they are, and how to include them. */
function passedOverLines(paths: readonly string[]): readonly Line[] {
  if (paths.length === 0) return [];
  const more = paths.length - mostNamed;
  const named = paths.slice(0, mostNamed).join(", ") + (more > 0 ? ` and ${more} more` : "");
  const folders = paths.map((path) =>
    path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : ". (the whole project)",
  );
  const those = [...new Set(folders)].slice(0, mostNamed).join(", ");
  return [
    `Not among the notes: ${renderCount(paths.length, "other markdown file")} (${named}).`,
    muted(`To review them too, add their folders to notes.roots in signoff.yaml: ${those}`),
  ];
}
