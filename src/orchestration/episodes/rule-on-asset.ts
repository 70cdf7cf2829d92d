import { decodeAssetJob } from "../../contract/episodes/episode-jobs.ts";
import { isLocked } from "../../domain/drafting/decision.ts";
import { emptyLedger, type LoopAct, type LoopLedger } from "../../domain/episodes/loop-ledger.ts";
import { defined } from "../../domain/values/defined.ts";
import { ConfigurationError, RunHeld } from "../../domain/values/workflow-error.ts";
import type { EpisodeFile } from "../../ports/episode-folder.ts";
import type { Job } from "../../ports/flow.ts";
import { archiveProtocol } from "./archive-protocol.ts";
import { unsignedLoopsOf } from "./asset-loops.ts";
import { type AssetRuling, settle, withAct } from "./asset-ruling.ts";
import { ledgerFile, protocolStateFile } from "./episode-files.ts";
import { assetsKind, reviewKind } from "./episode-kinds.ts";
import { type EpisodeProject, partsOf, unfinishedRuns } from "./episode-project.ts";
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

/**
 * What comes before a person's own text is reviewed, or a loop starts over. Nothing, if that was done and the run that
 * followed has not ended: typed again after a kill or a failure, the command continues it instead of paying twice.
 */
export async function beginAgain(
  project: EpisodeProject,
  workspace: Workspace,
  about: {
    readonly assetId: string;
    readonly ruling: AssetRuling;
    /** The person's own text; absent to start over. */
    readonly text?: string;
  },
): Promise<void> {
  if (await isUnderWay(project, workspace, about)) return;
  if (about.text === undefined) await restartAsset(project, workspace, about);
  else await unlockAsset(project, workspace, { ...about, evenIfOpen: true });
}

/** Archives the protocol; the next review begins at iteration 1. Selections stay locked. */
async function restartAsset(
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

/** This very act was the last one on the text, and a run that began after it is unfinished and does not wait for a person. */
async function isUnderWay(
  project: EpisodeProject,
  workspace: Workspace,
  { assetId, ruling, text }: Parameters<typeof beginAgain>[2],
): Promise<boolean> {
  const { standing, jobId } = await loopOf(workspace, assetId);
  const act = standing.ledger?.acts.at(-1);
  const isSame = act?.kind === (text === undefined ? "restart" : "unlock");
  if (!isSame || act.by !== ruling.by || act.reason !== ruling.reason) return false;
  const isOwn = ({ id, input }: Job) =>
    `${id}/`.startsWith(`${jobId}/`) && decodeAssetJob(input).draft.edited?.text === text;
  const alone = await unfinishedRuns(project, reviewKind, jobId);
  const together = await unfinishedRuns(project, assetsKind, assetsKind);
  return [...alone, ...together].some(
    ({ job, state }) => state !== "waiting" && partsOf(job).some(isOwn),
  );
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
  const { standing, jobId } = await loopOf(workspace, assetId);
  requireVersion(standing, ifVersion);
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

async function loopOf(workspace: Workspace, assetId: string) {
  const settings = await loadEpisodeSettings(workspace.folder);
  const state = await loadState(workspace.folder);
  const standing = await assetStanding(workspace.folder, assetId, state);
  const id = workspaceId(workspace, { settings, ...defined({ state }) });
  return { standing, jobId: reviewJobId(id, assetId, standing.generation) };
}
