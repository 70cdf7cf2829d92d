import type { AgentRole } from "../../contract/episodes/episode-yaml.ts";
import type { RunId } from "../../domain/values/ids.ts";
import type { EpisodeRun } from "../../orchestration/episodes/episode-run.ts";
import { loadEpisodeSettings } from "../../orchestration/episodes/load-episode.ts";
import { type AgentCommand, episodeAgents } from "../../wiring/features/episode-agents.ts";
import { type OpenedWorkspace, openWorkspace } from "../../wiring/features/episode-workspace.ts";
import { pathOfWorkspace } from "../../wiring/features/episodes.ts";
import type { Project } from "../../wiring/project/project.ts";
import type { LoadedSettings } from "../../wiring/settings/settings.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { settingsFor } from "../shell/cli-settings.ts";
import { exitCodeOfEnding } from "../shell/exit-code.ts";
import { type FollowFlags, loopDisplay } from "../shell/follow-run.ts";
import { printFailure, printResult } from "../shell/print.ts";
import { isQuiet } from "../shell/quiet-flags.ts";
import { type OpenedProject, withProject } from "../shell/with-project.ts";
import { EpisodeProgress } from "./episode-progress.ts";
import { concludeReview, withoutBrief } from "./review-command.ts";
import { nextLine, typedHere } from "./typed-here.ts";

export interface EpisodeResume {
  readonly run: RunId;
  readonly episode: EpisodeRun;
  readonly root: string;
  /** Absent: those of the project. */
  readonly loaded?: LoadedSettings;
  readonly flags: FollowFlags;
  resume(project: Project): Promise<unknown>;
}

/** Resumes a run of an episode as the command that started it would, with the workspace's own agents. */
export async function resumeEpisodeRun(cli: CliContext, about: EpisodeResume): Promise<void> {
  const { root, flags, episode } = about;
  const loaded = about.loaded ?? (await settingsFor(cli, { root, quiet: isQuiet(flags) }));
  const workspace = await openWorkspace({
    ...cli,
    workspace: pathOfWorkspace(root, episode.workspace),
  });
  const agents = await agentsOf(cli, episode, { ...workspace, guard: loaded.guard });
  const isOneLoop = episode.does === "review" && episode.assetIds.length === 1;
  const opening = {
    ...{ root, workspace: workspace.folder.root, loaded, agents, flags },
    display: isOneLoop ? loopDisplay(cli, flags, withoutBrief) : new EpisodeProgress(cli, flags),
  };
  await withProject(cli, opening, (opened) => continueRun(cli, { ...about, workspace, opened }));
}

async function continueRun(
  cli: CliContext,
  about: EpisodeResume & { readonly workspace: OpenedWorkspace; readonly opened: OpenedProject },
): Promise<void> {
  const { run, episode, flags, workspace, opened } = about;
  await about.resume(opened.project);
  const ending = await opened.project.engine.ending(run, new AbortController().signal);
  opened.closeDisplay();
  if (episode.does === "review") {
    const { project } = opened;
    const { assetIds } = episode;
    return concludeReview(cli, flags, { workspace, project, run, ending, assetIds });
  }
  cli.end(exitCodeOfEnding(ending));
  printFailure(cli, ending);
  const text = ending.kind === "finished" ? "Finished." : `Not finished (run ${run}).`;
  printResult(cli, flags, { run_id: run, ending: ending.kind }, [
    text,
    nextLine((await typedHere(cli, workspace))("episode status")),
  ]);
}

/** The agents of the roles that the run was started with; other agents of `episode.yaml` need no approval for it. */
async function agentsOf(
  cli: CliContext,
  { models }: EpisodeRun,
  { folder, guard }: OpenedWorkspace & Pick<LoadedSettings, "guard">,
): Promise<{ readonly [name: string]: AgentCommand }> {
  const roles: readonly AgentRole[] = ["creator", "reviewer", "drafter"];
  const asked = roles.filter((role) =>
    models.some((model) => model.startsWith(`command/${role}-`)),
  );
  if (asked.length === 0) return {};
  const { commands } = await episodeAgents(await loadEpisodeSettings(folder), asked, {
    environment: cli.environment,
    workspace: folder.root,
    guard,
    trust: cli.globals().trust === true,
  });
  return commands;
}
