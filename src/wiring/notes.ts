import { randomUUID } from "node:crypto";
import { realpathSync } from "node:fs";
import { RE2JS } from "re2js";
import { isDead } from "../adapters/engines/embedded/process-owner.ts";
import { readOriginalReviews } from "../adapters/persistence/sqlite/original-reviews.ts";
import { SnapshotLoader } from "../adapters/provenance/snapshot-loader.ts";
import type { NotesSettings } from "../domain/gates/notes-settings.ts";
import type { MatchPattern } from "../domain/gates/rule-gate.ts";
import type { Settings } from "../domain/settings/settings.ts";
import { millisOf } from "../domain/values/instant.ts";
import type { NotesTools, WritingTools } from "../orchestration/gates/notes-tools.ts";
import type { ReviewEngine } from "../orchestration/gates/review-runs.ts";
import type { OriginalPair } from "../ports/original-reviews.ts";
import type { Repos } from "../ports/repos.ts";
import type { Store } from "../ports/store.ts";
import type { Environment } from "./config.ts";
import { createCrashPoints } from "./crash-points.ts";
import { sha256 } from "./gates.ts";
import { createNoteFiles } from "./note-files.ts";
import { openProject, type ProjectSettings } from "./project.ts";
import { openProjectForReading } from "./project-store.ts";
import { clockOf } from "./system-clock.ts";

export interface NotesProject {
  readonly tools: NotesTools;
  close(): void;
}

export interface WritingNotesProject {
  readonly tools: WritingTools;
  readonly engine: ReviewEngine;
  interrupt(how: "finish" | "now"): void;
  close(): void;
}

/** Opens a project for commands that change nothing; no store is made where there is none. */
export async function openNotesForReading(
  root: string,
  environment: Environment,
  settings: Settings,
): Promise<NotesProject> {
  const store = openProjectForReading(root);
  const tools = await toolsOf({ root, environment, settings }, store);
  return { tools, close: () => store?.close() };
}

/** No store at all: what the files and the lock say. */
export async function openNotesWithoutStore(
  root: string,
  environment: Environment,
  settings: Settings,
): Promise<NotesProject> {
  const tools = await toolsOf({ root, environment, settings }, undefined);
  return { tools, close: () => undefined };
}

export async function openNotes(
  root: string,
  environment: Environment,
  more: Pick<ProjectSettings, "observer" | "named"> & Required<Pick<ProjectSettings, "loaded">>,
): Promise<WritingNotesProject> {
  const project = openProject({ root, environment, ...more });
  try {
    const { store, engine, clock } = project;
    const { settings } = more.loaded;
    const tools = { ...(await toolsOf({ root, environment, settings }, store)), store };
    return {
      tools,
      engine: {
        engine,
        runs: store.runs,
        newId: randomUUID,
        isDead: (holder) => isDead(holder, millisOf(clock.now())),
      },
      interrupt: (how) => engine.interrupt(how),
      close: () => project.close(),
    };
  } catch (error) {
    project.close();
    throw error;
  }
}

/** What reviewing notes takes of the settings. */
export function notesSettingsOf({ notes, aliases }: Settings): NotesSettings {
  const { models, partitions, ...rest } = notes;
  return {
    ...rest,
    roots: notes.roots.map(plainFolder),
    gates: plainFolder(notes.gates),
    exports: plainFolder(notes.exports),
    models: models.map(({ model }) => model),
    aliases: { ...aliases, ...partitions },
  };
}

function plainFolder(path: string): string {
  return path.replace(/^(?:\.\/)+/, "").replace(/\/+$/, "") || ".";
}

export function loadOriginalReviews(path: string): readonly OriginalPair[] {
  return readOriginalReviews(path);
}

async function toolsOf(
  at: { readonly root: string; readonly environment: Environment; readonly settings: Settings },
  store: Store<Repos> | undefined,
): Promise<NotesTools> {
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
    matches: createPatternFinder(),
    checkPattern,
    ...(store === undefined ? {} : { store }),
  };
}

/** Patterns of rule gates run in an engine that is linear in the text, each compiled once. */
function createPatternFinder(): MatchPattern {
  const compiled = new Map<string, RE2JS>();
  return (pattern, text) => {
    const known = compiled.get(pattern) ?? RE2JS.compile(pattern);
    compiled.set(pattern, known);
    const matcher = known.matcher(text);
    return matcher.find() ? { start: matcher.start(), end: matcher.end() } : undefined;
  };
}

function checkPattern(pattern: string): string | undefined {
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (error) {
    return `the pattern cannot be used: ${error instanceof Error ? error.message : String(error)}`;
  }
}
