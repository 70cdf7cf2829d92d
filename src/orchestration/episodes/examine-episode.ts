import { salvageState } from "../../contract/episodes/salvage-state.ts";
import { mergeAsset } from "../../domain/episodes/asset.ts";
import { isAssetId } from "../../domain/episodes/asset-kind.ts";
import type { AssetStatus } from "../../domain/episodes/asset-status.ts";
import type { EpisodeStatus } from "../../domain/episodes/episode-status.ts";
import { type EpisodeWorkspace, withAsset } from "../../domain/episodes/episode-workspace.ts";
import { layout } from "../../domain/episodes/layout.ts";
import { textStateWords } from "../../domain/episodes/text-standing.ts";
import type { Instant } from "../../domain/values/instant.ts";
import type { EpisodeFolder } from "../../ports/episode-folder.ts";
import type { DoctorFinding } from "../runs/examine-project.ts";
import { loadInputs } from "./episode-material.ts";
import { assetWithDisk, newState, stateFile } from "./episode-state.ts";
import { assetStanding } from "./freeze-asset.ts";
import {
  loadEpisodeSettings,
  loadProtocol,
  loadSelectionRecord,
  loadState,
} from "./load-episode.ts";
import { htmlToWrite } from "./text-evidence.ts";

/**
 * What is wrong with the files of a workspace. What follows from the others can be mended: `state.json`, of which a broken
 * one is kept beside the new one, and the HTML of a selected text.
 */
export async function examineEpisode(
  folder: EpisodeFolder,
  { problems, assets }: Pick<EpisodeStatus, "problems" | "assets">,
  how: {
    readonly repair: boolean;
    readonly at: Instant;
    /** Turns a command into one that works where it is read. */
    readonly typed: (command: string) => string;
    readonly lock: (work: () => Promise<void>) => Promise<void>;
  },
): Promise<readonly DoctorFinding[]> {
  const isStateBroken = problems.some(({ file }) => file === layout.state);
  const others = problems.filter(({ file }) => file !== layout.state);
  const findings: DoctorFinding[] = others.map(({ message }) => ({
    level: "error",
    text: `The workspace has a broken file: ${message}.`,
    hint: "Repair it by hand, restore it from a backup, or delete it: `signoff episode status` then says what to run.",
  }));
  if (!isStateBroken) {
    const what =
      problems.length === 0 ? "The files of the episode can be read" : "state.json is sound";
    const written = how.repair ? await writeHtml(folder, assets, how.lock) : [];
    const texts = assets
      .filter(({ assetId }) => !written.includes(assetId))
      .flatMap((one) => textFindings(one, how.typed));
    const mended = written.map((assetId): DoctorFinding => {
      return { level: "ok", text: `${layout.selected(assetId, "html")} was written again.` };
    });
    return [{ level: "ok", text: `${what}.` }, ...findings, ...mended, ...texts];
  }
  if (!how.repair || others.length > 0) {
    return [
      ...findings,
      {
        level: "error",
        text: "state.json is missing or broken.",
        hint: "`signoff doctor --repair` keeps what is sound in it and takes the rest from the other files, once those are sound.",
      },
    ];
  }
  const wrong = problems.map(({ message }) => message).join("; ");
  await how.lock(() => mendState(folder, how.at));
  return [
    ...findings,
    { level: "ok", text: `state.json was mended; what was sound in it was kept (${wrong}).` },
  ];
}

/** What is wrong with a selected text; `doctor` cannot mend it, because a person or a loop has to decide. */
function textFindings(
  { assetId, state, missing }: AssetStatus,
  typed: (command: string) => string,
): readonly DoctorFinding[] {
  if (state !== "edited" && state !== "unsigned" && state !== "evidence_missing") return [];
  // A file that cannot be read is a finding of its own.
  const others = missing.filter(({ command }) => command !== "doctor");
  return others.map(({ text, command }) => ({
    level: "error",
    text: `${assetId} (${textStateWords[state]}): ${text}`,
    ...(command === undefined ? {} : { hint: `Type ${typed(command)}` }),
  }));
}

/** Renders selected texts whose HTML shows anything else; returns which. */
async function writeHtml(
  folder: EpisodeFolder,
  assets: readonly AssetStatus[],
  lock: (work: () => Promise<void>) => Promise<void>,
): Promise<readonly string[]> {
  const written: string[] = [];
  await lock(async () => {
    const state = await loadState(folder);
    const isMendable = ({ missing }: AssetStatus) =>
      missing.some(({ command }) => command === "doctor --repair");
    for (const { assetId } of assets.filter(isMendable)) {
      const file = await htmlToWrite(
        folder,
        (await assetStanding(folder, assetId, state)).selection,
      );
      if (file === undefined) continue;
      await folder.write([file]);
      written.push(assetId);
    }
  });
  return written;
}

/** Parts of `state.json` that are sound stay; what is missing comes from the other files. */
async function mendState(folder: EpisodeFolder, at: Instant): Promise<void> {
  const broken = await folder.read(layout.state);
  const kept = salvageState(broken ?? "");
  if (broken !== undefined) {
    await folder.move(layout.state, `${layout.state}.broken-${at.replaceAll(":", "")}`);
  }
  const { episodeId, tracks } = await loadEpisodeSettings(folder);
  const { chapters } = await loadInputs({ folder });
  let state: EpisodeWorkspace = {
    ...newState({
      ...{ episodeId, createdAt: at, chapters },
      tracks: tracks.map((track) => ({ ...track, provenance: [] })),
    }),
    ...kept,
  };
  for (const assetId of await folder.list("copy/candidates")) {
    if (!isAssetId(assetId)) continue;
    const found = await assetWithDisk(folder, state, assetId);
    const protocol = await loadProtocol(folder, assetId);
    const record = await loadSelectionRecord(folder, assetId);
    const chosen = found.selectedCandidateId ?? record?.candidateId;
    const isThere = found.candidates.some(({ candidateId }) => candidateId === chosen);
    const reviews = (protocol?.iterations ?? []).map(({ review }) => review);
    const asset = mergeAsset(found, {
      ...{ assetId, candidates: [], reviews: found.reviews.length > 0 ? [] : reviews },
      ...(chosen !== undefined && isThere ? { selectedCandidateId: chosen } : {}),
    });
    state = withAsset(state, asset);
  }
  await folder.write([stateFile(state)]);
}
