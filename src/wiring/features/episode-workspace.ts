import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import {
  createEpisodeFolder,
  findEpisodeFolder,
  openEpisodeFolder,
} from "../../adapters/workspace/episode-folder.ts";
import { runId } from "../../domain/values/ids.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { EpisodeProject } from "../../orchestration/episodes/episode-project.ts";
import type { Workspace } from "../../orchestration/episodes/freeze-asset.ts";
import { createCrashPoints } from "../project/crash-points.ts";
import type { Project } from "../project/project.ts";
import { findProjectRoot, realPath } from "../project/project-root.ts";
import { deadBy } from "../project/run-source.ts";
import { kindOfPath } from "../project/save-text.ts";
import { clockOf } from "../project/system-clock.ts";
import type { Environment } from "../settings/environment.ts";
import { workspaceLock } from "./episodes.ts";

/** A workspace and the project that keeps its record. */
export interface OpenedWorkspace extends Workspace {
  readonly root: string;
}

/** The workspace named, else the nearest one upward, with the project around it; without one it is its own project. */
export async function openWorkspace(about: {
  readonly cwd: string;
  readonly environment: Environment;
  readonly workspace?: string;
}): Promise<OpenedWorkspace> {
  const { cwd, environment, workspace } = about;
  const path = workspace === undefined ? await findEpisodeFolder(cwd) : resolve(cwd, workspace);
  if (path === undefined) {
    throw new ConfigurationError("There is no episode workspace here or above.", {
      code: "workspace-missing",
      hint: "Create one with `signoff episode init --episode-id my_episode`, or name one with --workspace.",
    });
  }
  const folder = await openEpisodeFolder(path, createCrashPoints(environment));
  const root = findProjectRoot(folder.root, environment.home);
  return { folder, root, path: relative(root, folder.root) || "." };
}

export async function hasWorkspace(cwd: string): Promise<boolean> {
  return (await findEpisodeFolder(cwd)) !== undefined;
}

/** How `--workspace` has to name this workspace in this folder; undefined where it is the nearest one. */
export async function workspaceToName(
  cwd: string,
  { folder }: Workspace,
): Promise<string | undefined> {
  const here = realPath(cwd);
  const nearest = await findEpisodeFolder(here);
  return nearest === folder.root ? undefined : relative(here, folder.root) || ".";
}

export async function createWorkspace(
  path: string,
  about: { readonly episodeId: string; readonly environment: Environment },
): Promise<void> {
  const createdAt = clockOf(about.environment).now();
  await createEpisodeFolder(path, { episodeId: about.episodeId, createdAt });
}

/**
 * Where a workspace for a demonstration is to be made: the folder named, if it is new, else the first free one of
 * `demo_workspace`, `demo_workspace_2` and so on. Undefined where there is a workspace to use, or another folder.
 */
export async function demoPathFor(
  cwd: string,
  workspace: string | undefined,
): Promise<string | undefined> {
  if (workspace !== undefined) {
    const path = resolve(cwd, workspace);
    return existsSync(path) ? undefined : path;
  }
  if (await hasWorkspace(cwd)) return undefined;
  for (let number = 1; ; number += 1) {
    const path = join(cwd, number === 1 ? "demo_workspace" : `demo_workspace_${number}`);
    if (!existsSync(path)) return path;
  }
}

/** A file that is only referred to. */
export function requireFile(cwd: string, file: string): string {
  const path = resolve(cwd, file);
  const found = kindOfPath(path);
  if (found === "file") return path;
  const message = found === undefined ? `There is no file ${file}.` : `${file} is a folder.`;
  throw new ConfigurationError(message, {
    code: "input-unreadable",
    facts: { path },
    hint: "Give the path of an audio file.",
  });
}

export function episodeProject(project: Project): EpisodeProject {
  const { engine, store, clock } = project;
  return {
    engine,
    store,
    lock: workspaceLock(project),
    clock,
    newId: () => runId(randomUUID()),
    isDead: deadBy(clock),
  };
}
