import type { Candidate } from "../../domain/drafting/candidate.ts";
import { type Asset, mergeAsset, selectCandidate } from "../../domain/episodes/asset.ts";
import { isLockedKind } from "../../domain/episodes/asset-kind.ts";
import { derivedFrom } from "../../domain/episodes/derived-files.ts";
import { assetOf, type EpisodeWorkspace } from "../../domain/episodes/episode-workspace.ts";
import { extensionOf, layout } from "../../domain/episodes/layout.ts";
import type { Instant } from "../../domain/values/instant.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { EpisodeFile, EpisodeFolder } from "../../ports/episode-folder.ts";
import { unsignedLoopsOf } from "./asset-loops.ts";
import { type AssetRuling, settle, withAct } from "./asset-ruling.ts";
import { candidateFiles, ledgerFile, selectionFiles } from "./episode-files.ts";
import { loadInputs, notesSource } from "./episode-material.ts";
import type { EpisodeProject } from "./episode-project.ts";
import { assetOnDisk, currentState, stateFile } from "./episode-state.ts";
import { type AssetStanding, assetStanding, type Workspace } from "./freeze-asset.ts";
import { type AssetDetail, loadAsset, requireVersion } from "./load-asset.ts";

/** Texts with candidates to choose from, oldest candidate first. */
export async function pickableTexts(
  folder: EpisodeFolder,
  at: Instant,
  /** Absent: every text. */
  only?: string,
): Promise<readonly AssetDetail[]> {
  const texts: AssetDetail[] = [];
  for (const assetId of await folder.list("copy/candidates")) {
    if (only !== undefined && assetId !== only) continue;
    const text = await loadAsset(folder, assetId, at);
    if (text.candidates.length > 0) texts.push(text);
  }
  return texts;
}

/**
 * A person's choice. Replacing a locked text needs a reason; the loop's decision does not change. A candidate that was
 * edited is taken as its file has it, but no reviewer signed those words, so the record does not name the candidate.
 */
export async function pickCandidate(
  project: Pick<EpisodeProject, "store" | "lock">,
  workspace: Workspace,
  choice: { readonly assetId: string; readonly candidateId: string; readonly ruling: AssetRuling },
): Promise<{ readonly files: readonly string[]; readonly isEdited: boolean }> {
  const { folder } = workspace;
  const { assetId, candidateId } = choice;
  const { ifVersion, ...ruling } = choice.ruling;
  return choosing(project, workspace, assetId, async () => {
    const state = await currentState(folder, ruling.at);
    const asset = await assetOnDisk(folder, state, assetId);
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
    const isChange = isOtherText(candidate, standing.selection);
    if (isLockedKind(assetId) && standing.isTextLocked && isChange && !ruling.reason) {
      throw needsReason(assetId);
    }
    const copies = await copiesOf(folder, candidate, { state, standing });
    const isEdited = copies.some((copy) => copy.trimEnd() !== candidate.content.trimEnd());
    const isOnDisk = (await folder.read(candidatePath(candidate))) !== undefined;
    const files = await select(folder, selectCandidate(asset, candidateId), {
      ...{ act: "pick", state, standing, candidate, ruling, isEdited },
      add: isOnDisk ? [] : candidateFiles(candidate),
    });
    return { files, isEdited };
  });
}

/** Whether picking this candidate replaces another selected text. */
export function isOtherText(
  { content }: Pick<Candidate, "content">,
  selection: { readonly text: string } | undefined,
): boolean {
  return selection !== undefined && selection.text.trimEnd() !== content.trimEnd();
}

/** Other copies of a candidate's text that the program wrote; one that differs shows that it was edited. */
async function copiesOf(
  folder: EpisodeFolder,
  { assetId, candidateId, format }: Candidate,
  { state, standing }: { readonly state: EpisodeWorkspace; readonly standing: AssetStanding },
): Promise<readonly string[]> {
  const reviewed = standing.protocol?.iterations.map(({ candidate }) => candidate) ?? [];
  const kept = [...assetOf(state, assetId).candidates, ...reviewed];
  const rendered = await folder.read(layout.candidate(assetId, candidateId, extensionOf(format)));
  return [
    ...kept.filter((one) => one.candidateId === candidateId).map(({ content }) => content),
    ...(rendered === undefined ? [] : [rendered]),
  ];
}

/** Makes the selected text, or a text of their own, a candidate of this person, written from the present inputs. */
export async function adoptText(
  project: Pick<EpisodeProject, "store" | "lock" | "newId">,
  workspace: Workspace,
  about: {
    readonly assetId: string;
    readonly ruling: AssetRuling & { readonly reason: string };
    /** Instead of the selected text. */
    readonly text?: string;
  },
): Promise<{ readonly files: readonly string[]; readonly candidateId: string }> {
  const { folder } = workspace;
  const { assetId } = about;
  const { ifVersion, ...ruling } = about.ruling;
  const { settings, sources } = await loadInputs(workspace);
  return choosing(project, workspace, assetId, async () => {
    const state = await currentState(folder, ruling.at);
    const standing = await assetStanding(folder, assetId, state);
    requireVersion(standing, ifVersion);
    const known = await assetOnDisk(folder, state, assetId);
    const { selection } = standing;
    const text = about.text ?? selection?.text;
    if (text === undefined) throw nothingSelected(assetId);
    const format = selection?.format ?? known.candidates[0]?.format ?? "markdown";
    const { by, at, reason } = ruling;
    const candidate: Candidate = {
      candidateId: project.newId(),
      ...{ assetId, format, content: text.trimEnd(), createdAt: at },
      provenance: [
        { kind: "person", ref: by, createdAt: at, metadata: { reason } },
        ...[...sources, notesSource(settings, assetId)].map(derivedFrom),
      ],
    };
    const asset = mergeAsset(known, { assetId, candidates: [candidate], reviews: [] });
    const files = await select(folder, selectCandidate(asset, candidate.candidateId), {
      ...{ act: "adopt", state, standing, candidate, ruling, isEdited: false },
      add: candidateFiles(candidate),
    });
    return { files, candidateId: candidate.candidateId };
  });
}

/** Writes a person's choice: the act bears the digest of the text, and the state, which names it, comes last. */
async function select(
  folder: EpisodeFolder,
  asset: Asset,
  chosen: {
    readonly act: "pick" | "adopt";
    readonly state: EpisodeWorkspace;
    readonly standing: AssetStanding;
    readonly candidate: Candidate;
    readonly ruling: Omit<AssetRuling, "ifVersion">;
    readonly isEdited: boolean;
    readonly add: readonly EpisodeFile[];
  },
): Promise<readonly string[]> {
  const { act: kind, state, standing, candidate, ruling, isEdited, add } = chosen;
  const { assetId, candidateId, format, content: text } = candidate;
  const { write, remove, textSha256 } = selectionFiles(
    { assetId, format, text },
    { ...(isEdited ? {} : { candidateId }), madeBy: "person", ...ruling },
  );
  const ledger = withAct(standing, { kind, ...ruling, textSha256 });
  await folder.write([...add, ...write, ledgerFile(ledger), stateFile(state, asset)]);
  await folder.remove(remove);
  return write.map(({ path }) => path).filter((path) => !path.endsWith(".json"));
}

/** Chooses a text under the lock and settles loops of it that wait in the inbox. */
async function choosing<T>(
  project: Pick<EpisodeProject, "store" | "lock">,
  workspace: Workspace,
  assetId: string,
  choose: () => Promise<T>,
): Promise<T> {
  const own = { workspace: workspace.path, assetId };
  const settled = await unsignedLoopsOf(project, own);
  const chosen = await project.lock(async () => {
    const result = await choose();
    await settle(project, settled);
    return result;
  });
  // A loop may have ended between the look and the act; one that ends after it sees the choice.
  await settle(project, await unsignedLoopsOf(project, own));
  return chosen;
}

function candidatePath({ assetId, candidateId }: Candidate): string {
  return layout.candidate(assetId, candidateId, "json");
}

function nothingSelected(assetId: string): ConfigurationError {
  return new ConfigurationError(`No text of ${assetId} is selected.`, {
    code: "nothing-selected",
    facts: { asset: assetId },
    hint: `Choose one with \`signoff episode pick --asset-id ${assetId}\`.`,
  });
}

function needsReason(assetId: string): ConfigurationError {
  return new ConfigurationError(`${assetId} is selected and locked; another text needs a reason.`, {
    code: "reason-missing",
    facts: { asset: assetId },
    hint: 'Add --reason "…"; it is kept with the choice.',
  });
}
