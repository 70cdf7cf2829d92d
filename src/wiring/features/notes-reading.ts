import { realpathSync } from "node:fs";
import { SnapshotLoader } from "../../adapters/provenance/snapshot-loader.ts";
import type { NotesSettings } from "../../domain/gates/notes-settings.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { defined } from "../../domain/values/defined.ts";
import { lazily } from "../../domain/values/lazily.ts";
import type { NotesTools } from "../../orchestration/gates/notes-tools.ts";
import { createCrashPoints } from "../project/crash-points.ts";
import { sha256 } from "../project/sha256.ts";
import type { StorePlace } from "../project/store-place.ts";
import { clockOf } from "../project/system-clock.ts";
import type { Environment } from "../settings/environment.ts";
import { createNoteFiles } from "./note-files.ts";
import { notesPanels } from "./notes-panels.ts";

/** Reads the notes of a project without changing anything; never creates a store. */
export async function readNotesOf<T>(
  place: ToolsPlace & Pick<StorePlace, "store">,
  work: (tools: NotesTools) => Promise<T>,
): Promise<T> {
  const tools = await toolsOf(place);
  const { readStore } = await import("../project/project-store.ts");
  return readStore(place, (store) => work({ ...tools, ...defined({ store }) }));
}

/** The settings that apply to notes. */
function notesSettingsOf(settings: Settings): NotesSettings {
  const { notes, aliases } = settings;
  const { models, partitions, ...rest } = notes;
  return {
    ...rest,
    roots: notes.roots.map(plainFolder),
    gates: plainFolder(notes.gates),
    exports: plainFolder(notes.exports),
    models: models.map(({ model }) => model),
    aliases: { ...aliases, ...partitions },
    panels: notesPanels(settings),
  };
}

function plainFolder(path: string): string {
  return path.replace(/^(?:\.\/)+/, "").replace(/\/+$/, "") || ".";
}

interface ToolsPlace {
  readonly root: string;
  readonly environment: Environment;
  readonly settings: Settings;
}

/** Tools without a store: they see only the files and the lock. */
export async function toolsOf(at: ToolsPlace): Promise<NotesTools> {
  const { environment } = at;
  const root = realpathSync(at.root);
  const settings = notesSettingsOf(at.settings);
  const source = await SnapshotLoader.open({ root });
  const crash = createCrashPoints(environment);
  return {
    settings,
    source,
    files: createNoteFiles(root, { usesGit: source.usesGit, crash }),
    clock: clockOf(environment),
    digest: sha256,
    loadPatterns: lazily(async () => (await import("./note-patterns.ts")).createPatterns()),
  };
}
