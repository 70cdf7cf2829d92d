import { basename, join } from "node:path";
import type { CommandPreset } from "../../adapters/runners/command/command-presets.ts";
import { findEpisodeFolder, openEpisodeFolder } from "../../adapters/workspace/episode-folder.ts";
import { InvalidFile } from "../../contract/documents/file-problem.ts";
import type {
  AgentRole,
  EpisodeAgent,
  EpisodeSettings,
} from "../../contract/episodes/episode-yaml.ts";
import { layout } from "../../domain/episodes/layout.ts";
import type { Trust } from "../../domain/settings/require-trusted.ts";
import { describeTrustPart, type TrustPart } from "../../domain/settings/trust-parts.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import { loadEpisodeSettings } from "../../orchestration/episodes/load-episode.ts";
import type { EpisodeFolder } from "../../ports/episode-folder.ts";
import { isInstalled } from "../models/is-installed.ts";
import type { Environment } from "../settings/environment.ts";
import type { TrustGuard } from "../settings/guard.ts";
import { judgeTrust, loadTrustedDigest } from "../settings/trust.ts";

/** A program that an episode names for a role, ready to be asked. */
export interface AgentCommand extends CommandPreset {
  /** The workspace: what agents of the original program know as their folder. */
  readonly cwd: string;
}

export interface EpisodeAgents {
  /** By role: the model's name. */
  readonly models: { readonly [role in AgentRole]?: string };
  /** By the name in `command/<name>`. */
  readonly commands: { readonly [name: string]: AgentCommand };
}

const roles = ["creator", "reviewer", "drafter"] as const satisfies AgentRole[];

/** The original program's defaults for roles without a command. */
const usualPrograms = { creator: "codex", reviewer: "claude", drafter: "claude" } as const;

const usualSeconds = 900;

interface Place {
  readonly environment: Environment;
  /** The workspace's folder. */
  readonly workspace: string;
}

interface TrustedPlace extends Place {
  readonly trust: boolean;
  readonly guard: Pick<TrustGuard, "agree">;
}

/**
 * The commands of `agents` for these roles. Like any project file, a workspace must be trusted before its commands run,
 * and a missing program is reported before anything is written.
 */
export async function episodeAgents(
  settings: Pick<EpisodeSettings, "agents">,
  asked: readonly AgentRole[],
  place: TrustedPlace,
): Promise<EpisodeAgents> {
  const named = asked.filter((role) => settings.agents[role] !== undefined);
  if (named.length === 0) return { models: {}, commands: {} };
  const flags = named.includes("reviewer")
    ? "--model and --reviewer-model choose"
    : "--model chooses";
  refuseUntrusted(await agentsTrust(settings, place), place.workspace, flags);
  const models: { [role in AgentRole]?: string } = {};
  const commands: { [name: string]: AgentCommand } = {};
  for (const role of named) {
    const command = await commandOf(role, settings.agents[role] ?? { args: [] });
    const [program = ""] = command.argv;
    const where = { folder: place.workspace, environment: place.environment };
    if (!(await isInstalled(program, where))) throw notFound({ role, program });
    const name = `${role}-${basename(program)}`;
    models[role] = `command/${name}`;
    commands[name] = { ...command, cwd: place.workspace };
    place.guard.agree({ kind: "program", argv: command.argv, folder: place.workspace });
  }
  return { models, commands };
}

/** The roles that `agents` may fill: a model that was named takes precedence. */
export function unnamedRoles(
  named: { readonly model?: unknown; readonly reviewerModel?: unknown },
  writes: Exclude<AgentRole, "reviewer">,
): readonly AgentRole[] {
  if (named.model !== undefined) return [];
  if (writes === "drafter") return ["drafter"];
  return named.reviewerModel === undefined ? ["creator", "reviewer"] : ["creator"];
}

/** What `agents` would run, and whether the user trusts exactly that for this workspace. */
async function agentsTrust(
  { agents }: Pick<EpisodeSettings, "agents">,
  { environment, workspace, trust }: Place & { readonly trust: boolean },
): Promise<Trust> {
  const parts: TrustPart[] = [];
  for (const role of roles) {
    const agent = agents[role];
    if (agent === undefined) continue;
    const { argv } = await commandOf(role, agent);
    parts.push({ kind: "command", setting: `agents.${role} of ${layout.episodeYaml}`, argv });
  }
  const { userFolder, trustedDigest } = environment;
  const stored = await loadTrustedDigest({ userFolder, root: agentsPlace(workspace) });
  return judgeTrust(parts, { byFlag: trust, byEnvironment: trustedDigest, stored });
}

/** The agents of the workspace around this folder, if there is one that names any. */
export async function agentsHere(about: {
  readonly cwd: string;
  readonly environment: Environment;
  readonly trust: boolean;
}): Promise<{ readonly place: string; readonly trust: Trust } | undefined> {
  const workspace = await findEpisodeFolder(about.cwd);
  if (workspace === undefined) return undefined;
  const folder = await openEpisodeFolder(workspace);
  const trust = await agentsTrust(await loadEpisodeSettings(folder), {
    ...about,
    workspace: folder.root,
  });
  return trust.parts.length === 0 ? undefined : { place: agentsPlace(folder.root), trust };
}

/** Trust in the agents of a workspace is kept apart from trust in the project around it. */
function agentsPlace(workspace: string): string {
  return join(workspace, layout.episodeYaml);
}

/**
 * A known agent without arguments runs with our preset, since it would otherwise wait for input at a terminal; with
 * arguments it runs as written. Either way it sees only its own key.
 */
async function commandOf(role: AgentRole, agent: EpisodeAgent): Promise<CommandPreset> {
  const { commandPresets, isPresetCommand } = await import(
    "../../adapters/runners/command/command-presets.ts"
  );
  const { command = usualPrograms[role], args } = agent;
  const kind = agent.kind ?? basename(command);
  const preset = isPresetCommand(kind) ? commandPresets[kind] : undefined;
  if (preset !== undefined && args.length === 0) {
    return { ...preset, argv: [command, ...preset.argv.slice(1)] };
  }
  const passes = preset?.passes ?? [];
  return { argv: [command, ...args], reads: "text", passes, seconds: usualSeconds };
}

function refuseUntrusted(trust: Trust, workspace: string, flags: string): void {
  if (trust.isTrusted) return;
  const untrusted = trust.parts.map(describeTrustPart).join("; ");
  throw new ConfigurationError(`This workspace's commands are not trusted yet: ${untrusted}.`, {
    code: "trust-needed",
    facts: { digest: trust.digest, workspace, settings: trust.parts.map(({ setting }) => setting) },
    hint: `Review and trust them with \`signoff trust\` in the workspace, or pass --trust for this command; ${flags} another model.`,
  });
}

export interface MissingAgent {
  readonly role: AgentRole;
  readonly program: string;
}

/**
 * Programs that `agents` names and that are not installed, for commands that only read. A broken `episode.yaml` names
 * none; the status reports what is wrong with it.
 */
export async function missingAgents(
  folder: EpisodeFolder,
  environment: Environment,
): Promise<readonly MissingAgent[]> {
  const missing: MissingAgent[] = [];
  const agents = await namedAgents(folder);
  const place = { environment, folder: folder.root };
  for (const role of roles) {
    const agent = agents[role];
    if (agent === undefined) continue;
    const program = agent.command ?? usualPrograms[role];
    if (!(await isInstalled(program, place))) missing.push({ role, program });
  }
  return missing;
}

async function namedAgents(folder: EpisodeFolder): Promise<EpisodeSettings["agents"]> {
  try {
    return (await loadEpisodeSettings(folder)).agents;
  } catch (error) {
    if (error instanceof InvalidFile) return {};
    throw error;
  }
}

export function notFound({ role, program }: MissingAgent): ConfigurationError {
  return new ConfigurationError(`The program ${program} of agents.${role} was not found.`, {
    code: "command-not-found",
    facts: { role, program, file: layout.episodeYaml },
    hint: `Install it, change agents.${role}.command in episode.yaml, or choose with --model.`,
  });
}
