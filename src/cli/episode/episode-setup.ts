import { basename, extname, join, relative, resolve } from "node:path";
import type { EpisodeTrack } from "../../contract/episodes/episode-yaml.ts";
import { episodeStatusToJson } from "../../contract/http/episodes.ts";
import { chapterFormatNames } from "../../domain/episodes/read-chapters.ts";
import { transcriptFormatNames } from "../../domain/episodes/read-transcript.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Json } from "../../domain/values/json.ts";
import { shellWord } from "../../domain/values/shell-word.ts";
import { type AddedInputs, addInputs } from "../../orchestration/episodes/add-inputs.ts";
import { chunkEpisode } from "../../orchestration/episodes/chunk-episode.ts";
import { missingAgents, notFound } from "../../wiring/features/episode-agents.ts";
import { readEpisodeStatus } from "../../wiring/features/episode-reading.ts";
import {
  createWorkspace,
  type OpenedWorkspace,
  openWorkspace,
  requireFile,
} from "../../wiring/features/episode-workspace.ts";
import { workspaceLock } from "../../wiring/features/episodes.ts";
import { readInputText } from "../../wiring/project/save-text.ts";
import { renderCount } from "../shell/amounts.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { exitCode } from "../shell/exit-code.ts";
import { invalidFlag } from "../shell/flag-values.ts";
import { type JsonFlags, printErr, printResult } from "../shell/print.ts";
import { caution } from "../shell/styles.ts";
import { withProject } from "../shell/with-project.ts";
import { episodeStatusLines } from "./render-episode-status.ts";
import { nextLine, typedHere } from "./typed-here.ts";

export interface WorkspaceFlags extends JsonFlags {
  readonly workspace?: string;
}

export interface EpisodeInitFlags extends WorkspaceFlags {
  readonly episodeId: string;
}

export interface AddFlags extends WorkspaceFlags {
  readonly transcript?: string;
  readonly chapters?: string;
  readonly host?: readonly string[];
  readonly language?: string;
  readonly track?: readonly string[];
  readonly role?: string;
}

export async function initEpisode(cli: CliContext, flags: EpisodeInitFlags): Promise<void> {
  const { episodeId, workspace } = flags;
  const path = resolve(cli.cwd, workspace ?? join("episodes", episodeId.trim()));
  await createWorkspace(path, { episodeId, environment: cli.environment });
  const shown = relative(cli.cwd, path) || ".";
  printResult(cli, flags, { workspace: shown, episode_id: episodeId.trim() }, [
    `Workspace: ${shown}`,
    "Add its transcript next: paste it, or name its file in place of -.",
    nextLine(`cd ${shellWord(shown)} && signoff episode add --transcript -`),
  ]);
}

export async function addToEpisode(cli: CliContext, flags: AddFlags): Promise<void> {
  const { host = [], language, track = [], role } = flags;
  if (role !== undefined && track.length === 0) throw invalidFlag("--role needs a --track.");
  if (language !== undefined && !/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/u.test(language)) {
    const hint = "Give one such as en, de or pt-BR.";
    throw invalidFlag(`--language "${language}" is not a language tag.`, hint);
  }
  if (host.some((name) => name.trim() === "")) {
    throw invalidFlag("--host is empty.", "Give a name, such as --host 'Ada Bell'.");
  }
  if (flags.transcript === "-" && flags.chapters === "-") {
    const hint = "Give the other text as a file.";
    throw invalidFlag("Only one text can come from standard input.", hint);
  }
  const given = [flags.transcript, flags.chapters, language, ...host, ...track];
  if (given.every((one) => one === undefined)) {
    const hint = "Give --transcript, --chapters, --host, --language or --track.";
    throw invalidFlag("There is nothing to add.", hint);
  }
  const workspace = await workspaceFor(cli, flags);
  const { folder, root } = workspace;
  const transcript = await inputOf(cli, flags.transcript);
  const chapters = await inputOf(cli, flags.chapters);
  const inputs = {
    ...defined({ transcript, chapters, language }),
    hosts: host,
    tracks: track.map((file) => trackOf(requireFile(cli.cwd, file), folder.root, role)),
  };
  const added = await withProject(cli, { root, flags, runsNothing: true }, ({ project }) =>
    workspaceLock(project)(() => addInputs(folder, inputs, project.clock.now())),
  );
  const typed = await typedHere(cli, workspace);
  printAdded(cli, flags, { added, next: typed(nextAfter(added)) });
}

/** Chunks are cut from a transcript; anything else is looked at first. */
function nextAfter({ transcript }: AddedInputs): string {
  return transcript === undefined ? "episode status" : "episode chunk";
}

async function inputOf(cli: CliContext, file: string | undefined): Promise<string | undefined> {
  return file === undefined ? undefined : readInputText(cli.cwd, file, { mayBeEmpty: true });
}

function printAdded(
  cli: CliContext,
  flags: AddFlags,
  { added, next }: { readonly added: AddedInputs; readonly next: string },
): void {
  const { transcript, chapters, hosts, tracks } = added;
  const speakers = transcript?.speakers ?? [];
  const spoken = speakers.length === 0 ? "" : `, spoken by ${speakers.join(", ")}`;
  const leftOut = chapters?.leftOut ?? 0;
  const skipped =
    leftOut === 0 ? "" : ` (left out: ${renderCount(leftOut, "other entry", "other entries")})`;
  const lines = [
    transcript &&
      `Transcript: ${renderCount(transcript.words, "word")}, ${transcriptFormatNames[transcript.format]}${spoken}`,
    chapters &&
      `Chapters: ${chapters.chapters.length}, ${chapterFormatNames[chapters.format]}${skipped}`,
    hosts.length > 0 && `Hosts: ${hosts.join(", ")}`,
    tracks.length > 0 && `Tracks: ${tracks.join(", ")}`,
  ];
  const { endSec = null, ...about } = transcript ?? {};
  const json: Json = {
    transcript: transcript === undefined ? null : { ...about, end_sec: endSec },
    chapters: chapters?.chapters.length ?? null,
    hosts,
    tracks,
  };
  printResult(cli, flags, json, [...lines, nextLine(next)]);
}

export async function chunkCommand(cli: CliContext, flags: WorkspaceFlags): Promise<void> {
  const workspace = await workspaceFor(cli, flags);
  const { folder } = workspace;
  await folder.sweep();
  const { chunks, isUnchanged } = await chunkEpisode(folder);
  const said = isUnchanged ? " (unchanged)" : "";
  printResult(cli, flags, { chunks: chunks.length, unchanged: isUnchanged }, [
    `Chunks: ${chunks.length}${said}`,
    nextLine((await typedHere(cli, workspace))("episode summarize")),
  ]);
}

export async function episodeStatus(cli: CliContext, flags: WorkspaceFlags): Promise<void> {
  const workspace = await workspaceFor(cli, flags);
  const { folder } = workspace;
  const status = await readEpisodeStatus(workspace, { ...cli, root: workspace.root });
  const shown = relative(cli.cwd, folder.root) || ".";
  cli.end(status.problems.length > 0 ? exitCode.notAccepted : exitCode.accepted);
  const missing = await missingAgents(folder, cli.environment);
  const json = episodeStatusToJson(shown, status, { missingAgents: missing });
  const typed = await typedHere(cli, workspace);
  printResult(cli, flags, json, episodeStatusLines(status, { workspace: shown, typed }));
  if (flags.json === true) return;
  for (const { message, hint } of missing.map(notFound)) {
    printErr(cli, [caution(`${message} ${hint ?? ""}`)]);
  }
}

/** The workspace that the flag names, else the nearest one upward. */
export function workspaceFor(
  cli: CliContext,
  { workspace }: WorkspaceFlags,
): Promise<OpenedWorkspace> {
  return openWorkspace({ ...cli, ...defined({ workspace }) });
}

function trackOf(path: string, root: string, role: string | undefined): EpisodeTrack {
  const inside = relative(root, path);
  const name = basename(path, extname(path));
  const id = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");
  return {
    trackId: /^[a-z]/.test(id) ? id : `track_${id}`,
    path: inside.startsWith("..") ? path : inside,
    label: name,
    ...defined({ role }),
  };
}
