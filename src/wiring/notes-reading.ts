import { existsSync, realpathSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { SnapshotLoader } from "../adapters/provenance/snapshot-loader.ts";
import { defaultNotesSettings, type NotesSettings } from "../domain/gates/notes-settings.ts";
import type { NotesTools, Patterns } from "../orchestration/gates/notes-tools.ts";
import type { Repos } from "../ports/repos.ts";
import type { Store } from "../ports/store.ts";
import type { Environment } from "./config.ts";
import { createCrashPoints } from "./crash-points.ts";
import { createNoteFiles } from "./note-files.ts";
import { openProjectForReading } from "./project-store.ts";
import { sha256 } from "./sha256.ts";
import { clockOf } from "./system-clock.ts";

export interface NotesProject {
  readonly tools: NotesTools;
  close(): void;
}

/** Opens a project for commands that change nothing; no store is made where there is none. */
export async function openNotesForReading(
  root: string,
  environment: Environment,
): Promise<NotesProject> {
  const store = openProjectForReading(root);
  const tools = await toolsOf(root, environment, store);
  return { tools, close: () => store?.close() };
}

/** No store at all: what the files and the lock say. */
export async function openNotesWithoutStore(
  root: string,
  environment: Environment,
): Promise<NotesProject> {
  return { tools: await toolsOf(root, environment, undefined), close: () => undefined };
}

export async function loadNotesSettings(root: string): Promise<NotesSettings> {
  const file = join(root, "signoff.yaml");
  if (!existsSync(file)) return defaultNotesSettings;
  const { parseNotesSettings } = await import("../contract/notes/notes-settings.ts");
  return parseNotesSettings(await readFile(file, "utf8"), "signoff.yaml");
}

export async function toolsOf(
  givenRoot: string,
  environment: Environment,
  store: Store<Repos> | undefined,
): Promise<NotesTools> {
  const root = realpathSync(givenRoot);
  const settings = await loadNotesSettings(root);
  const source = await SnapshotLoader.open({ root });
  const crash = createCrashPoints(environment);
  return {
    settings,
    source,
    files: createNoteFiles(root, { usesGit: source.usesGit, crash }),
    clock: clockOf(environment),
    digest: sha256,
    loadPatterns: loadOnce(async () => (await import("./note-patterns.ts")).createPatterns()),
    ...(store === undefined ? {} : { store }),
  };
}

function loadOnce(load: () => Promise<Patterns>): () => Promise<Patterns> {
  let loaded: Promise<Patterns> | undefined;
  return () => {
    loaded ??= load();
    return loaded;
  };
}
