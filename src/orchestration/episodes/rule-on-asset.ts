import { isLocked } from "../../domain/drafting/decision.ts";
import { emptyLedger, type LoopAct, type LoopLedger } from "../../domain/episodes/loop-ledger.ts";
import { defined } from "../../domain/values/defined.ts";
import { ConfigurationError, RunHeld } from "../../domain/values/workflow-error.ts";
import type { EpisodeFile } from "../../ports/episode-folder.ts";
import { archiveProtocol } from "./archive-protocol.ts";
import { unsignedLoopsOf } from "./asset-loops.ts";
import { type AssetRuling, settle, withAct } from "./asset-ruling.ts";
import { ledgerFile, protocolStateFile } from "./episode-files.ts";
import { reviewKind } from "./episode-kinds.ts";
import { type EpisodeProject, unfinishedRuns } from "./episode-project.ts";
import {
  type AssetStanding,
  assetStanding,
  reviewJobId,
  type Workspace,
  workspaceId,
} from "./freeze-asset.ts";
import { requireVersion, versionOf } from "./load-asset.ts";
import { loadEpisodeSettings, loadState } from "./load-episode.ts";
import { sha256Digest } from "./sha256.ts";

/**
 * Lets the loop change a locked text and continue after its decision. The decision stays readable but no longer binds,
 * and the limit leaves room for further turns.
 */
export async function unlockAsset(
  project: EpisodeProject,
  workspace: Workspace,
  about: {
    readonly assetId: string;
    readonly ruling: AssetRuling;
    /** Also where nothing is locked: an unfinished loop gives way to what follows. */
    readonly evenIfOpen?: boolean;
  },
): Promise<void> {
  const { folder } = workspace;
  const { assetId } = about;
  const { ifVersion, ...ruling } = about.ruling;
  const standing = await openStanding(project, workspace, { assetId, ifVersion });
  const { protocol, selection } = standing;
  if (!about.evenIfOpen && !standing.isTextLocked && !isLocked(protocol?.decision)) {
    throw new ConfigurationError(`Nothing of ${assetId} is locked.`, {
      code: "not-locked",
      facts: { asset: assetId },
      hint: `Continue with \`signoff episode review --asset-id ${assetId}\`.`,
    });
  }
  const act: LoopAct = {
    kind: "unlock",
    ...ruling,
    ...defined({ textSha256: selection && sha256Digest(selection.text) }),
  };
  const raised = { ...withAct(standing, act), generation: standing.generation + 1 };
  const last = protocol?.iterations.at(-1)?.iteration ?? 0;
  const unlocked: readonly EpisodeFile[] =
    protocol?.decision === undefined
      ? []
      : [
          protocolStateFile({
            ...protocol,
            maxIterations: Math.max(
              protocol.maxIterations,
              last + Math.min(protocol.maxIterations, 3),
            ),
            decision: { ...protocol.decision, lockedFields: [] },
          }),
        ];
  const change = () => folder.write([ledgerFile(raised), ...unlocked]);
  await changeAsset(project, workspace, { standing, change });
}

/** Archives the protocol; the next review begins at iteration 1. Selections stay locked. */
export async function restartAsset(
  project: EpisodeProject,
  workspace: Workspace,
  about: { readonly assetId: string; readonly ruling: AssetRuling },
): Promise<number> {
  const { assetId } = about;
  const { ifVersion, ...ruling } = about.ruling;
  const standing = await openStanding(project, workspace, { assetId, ifVersion });
  const acted = withAct(standing, { kind: "restart", ...ruling });
  const generation = standing.generation + 1;
  const next: LoopLedger = { ...emptyLedger(assetId, generation), acts: acted.acts };
  const change = () => archiveProtocol(workspace.folder, next);
  await changeAsset(project, workspace, { standing, change });
  return generation;
}

/** Checks again under the lock: of two people who act at once, the second is refused. */
async function changeAsset(
  project: EpisodeProject,
  { path, folder }: Workspace,
  { standing, change }: { readonly standing: AssetStanding; readonly change: () => Promise<void> },
): Promise<void> {
  const { assetId } = standing;
  const settled = await unsignedLoopsOf(project, { workspace: path, assetId });
  await project.lock(async () => {
    const now = await assetStanding(folder, assetId, await loadState(folder));
    requireVersion(now, versionOf(standing));
    await change();
    await settle(project, settled);
  });
}

/** Refuses while a live process works on the asset; cancels the runs of dead ones. */
async function openStanding(
  project: EpisodeProject,
  workspace: Workspace,
  { assetId, ifVersion }: { readonly assetId: string; readonly ifVersion: string | undefined },
): Promise<AssetStanding> {
  const settings = await loadEpisodeSettings(workspace.folder);
  const state = await loadState(workspace.folder);
  const standing = await assetStanding(workspace.folder, assetId, state);
  requireVersion(standing, ifVersion);
  const id = workspaceId(workspace, { settings, ...defined({ state }) });
  const jobId = reviewJobId(id, assetId, standing.generation);
  for (const { run, holder } of await unfinishedRuns(project, reviewKind, jobId)) {
    if (holder !== undefined && !project.isDead(holder)) {
      throw new RunHeld(`Process ${holder.pid} is working on ${assetId}.`, {
        code: "run-held",
        facts: { asset: assetId, pid: holder.pid },
        hint: "Wait for it to end, or stop that process first.",
      });
    }
    await project.engine.cancel(run, `A new generation of ${assetId} began.`);
  }
  return standing;
}
