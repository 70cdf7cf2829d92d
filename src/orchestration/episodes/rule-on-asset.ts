import { renderLedgerFile } from "../../contract/episodes/ledger-file.ts";
import { renderProtocolState } from "../../contract/episodes/protocol-files.ts";
import { isLocked } from "../../domain/drafting/decision.ts";
import { type Asset, selectCandidate } from "../../domain/episodes/asset.ts";
import { isLockedKind } from "../../domain/episodes/asset-kind.ts";
import { layout } from "../../domain/episodes/layout.ts";
import { emptyLedger, type LoopAct, type LoopLedger } from "../../domain/episodes/loop-ledger.ts";
import { byAge } from "../../domain/episodes/timestamp.ts";
import { defined } from "../../domain/values/defined.ts";
import type { RunId } from "../../domain/values/ids.ts";
import type { Instant } from "../../domain/values/instant.ts";
import { ConfigurationError, RunHeld } from "../../domain/values/workflow-error.ts";
import type { EpisodeFile, EpisodeFolder } from "../../ports/episode-folder.ts";
import { archiveProtocol } from "./archive-protocol.ts";
import { unsignedLoopsOf } from "./asset-loops.ts";
import { selectionFiles } from "./episode-files.ts";
import { reviewKind } from "./episode-kinds.ts";
import { type EpisodeProject, unfinishedRuns } from "./episode-project.ts";
import { assetWithDisk, currentState, stateFile } from "./episode-state.ts";
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

/** Who rules, when and why. */
export interface AssetRuling {
  readonly by: string;
  readonly at: Instant;
  readonly reason?: string;
  /** The version the person saw; a later one refuses the act. */
  readonly ifVersion?: string;
}

/** Assets with candidates to choose from, oldest candidate first. */
export async function pickableAssets(
  folder: EpisodeFolder,
  at: Instant,
): Promise<readonly Asset[]> {
  const state = await currentState(folder, at);
  const assets: Asset[] = [];
  for (const assetId of await folder.list("copy/candidates")) {
    const asset = await assetWithDisk(folder, state, assetId);
    if (asset.candidates.length === 0) continue;
    assets.push({ ...asset, candidates: [...asset.candidates].sort(byAge) });
  }
  return assets;
}

/** A person's choice. Replacing a locked text needs a reason; the loop's decision does not change. */
export async function pickCandidate(
  project: Pick<EpisodeProject, "store" | "lock">,
  workspace: Workspace,
  choice: { readonly assetId: string; readonly candidateId: string; readonly ruling: AssetRuling },
): Promise<{ readonly files: readonly string[] }> {
  const { folder } = workspace;
  const { assetId, candidateId } = choice;
  const { ifVersion, ...ruling } = choice.ruling;
  const own = { workspace: workspace.path, assetId };
  const settled = await unsignedLoopsOf(project, own);
  const picked = await project.lock(async () => {
    const state = await currentState(folder, ruling.at);
    const asset = await assetWithDisk(folder, state, assetId);
    const candidate = asset.candidates.find((one) => one.candidateId === candidateId);
    if (candidate === undefined) {
      throw new ConfigurationError(`${assetId} has no candidate ${candidateId}.`, {
        code: "candidate-unknown",
        facts: { asset: assetId, candidate: candidateId },
        hint: `They are in copy/candidates/${assetId}/.`,
      });
    }
    const standing = await assetStanding(folder, assetId, state);
    requireVersion(standing, ifVersion);
    const isChange = standing.selection?.text.trimEnd() !== candidate.content.trimEnd();
    if (isLockedKind(assetId) && standing.isTextLocked && isChange && !ruling.reason) {
      throw needsReason(assetId);
    }
    const selection = { assetId, format: candidate.format, text: candidate.content };
    const { write, remove } = selectionFiles(selection, {
      candidateId,
      madeBy: "person",
      ...ruling,
    });
    const ledger = withAct(standing, { kind: "pick", ...ruling });
    const chosen = selectCandidate(asset, candidateId);
    await folder.write([...write, ledgerFile(ledger), stateFile(state, chosen)]);
    await folder.remove(remove);
    await settle(project, settled);
    return { files: write.map(({ path }) => path).filter((path) => !path.endsWith(".json")) };
  });
  // A loop may have ended between the look and the act; one that ends after it sees the choice.
  await settle(project, await unsignedLoopsOf(project, own));
  return picked;
}

async function settle(
  { store }: Pick<EpisodeProject, "store">,
  loops: readonly RunId[],
): Promise<void> {
  if (loops.length === 0) return;
  await store.transaction(async ({ inbox }) => {
    for (const run of loops) await inbox.settle(run);
  });
}

/**
 * Lets the loop change a locked text and continue after its decision. The decision stays readable but no longer binds,
 * and the limit leaves room for further turns.
 */
export async function unlockAsset(
  project: EpisodeProject,
  workspace: Workspace,
  about: { readonly assetId: string; readonly ruling: AssetRuling },
): Promise<void> {
  const { folder } = workspace;
  const { assetId } = about;
  const { ifVersion, ...ruling } = about.ruling;
  const standing = await openStanding(project, workspace, { assetId, ifVersion });
  const { protocol, selection } = standing;
  const hasLock = isLockedKind(assetId) && standing.isTextLocked;
  if (!hasLock && !isLocked(protocol?.decision)) {
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
          {
            path: layout.protocolState(assetId),
            content: renderProtocolState({
              ...protocol,
              maxIterations: Math.max(
                protocol.maxIterations,
                last + Math.min(protocol.maxIterations, 3),
              ),
              decision: { ...protocol.decision, lockedFields: [] },
            }),
          },
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

function withAct({ ledger, assetId, generation }: AssetStanding, act: LoopAct): LoopLedger {
  const known = ledger ?? emptyLedger(assetId, generation);
  return { ...known, acts: [...known.acts, act] };
}

function ledgerFile(ledger: LoopLedger): EpisodeFile {
  return { path: layout.ledger(ledger.assetId), content: renderLedgerFile(ledger) };
}

function needsReason(assetId: string): ConfigurationError {
  return new ConfigurationError(`${assetId} is selected and locked; another text needs a reason.`, {
    code: "reason-missing",
    facts: { asset: assetId },
    hint: 'Add --reason "…"; it is kept with the choice.',
  });
}
