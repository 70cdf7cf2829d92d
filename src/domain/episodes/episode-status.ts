import { defined } from "../values/defined.ts";
import { assetKinds } from "./asset-kind.ts";
import { type AssetStatus, describeText, unstartedText } from "./asset-status.ts";
import {
  type EpisodeProblem,
  type EpisodeStage,
  type EpisodeSurvey,
  episodeStages,
  type StageSurvey,
} from "./episode-survey.ts";
import type { Track } from "./episode-workspace.ts";
import { layout } from "./layout.ts";
import { type Conclusion, concludeEpisode, type NextStep, nextSteps } from "./next-steps.ts";
import { isAccepted } from "./text-standing.ts";

export interface EpisodeStatus {
  readonly episodeId?: string;
  readonly problems: readonly EpisodeProblem[];
  readonly checklist: readonly ChecklistItem[];
  readonly assets: readonly AssetStatus[];
  readonly tracks: readonly Track[];
  readonly nextSteps: readonly NextStep[];
  /** Present when no step is left: what was reached, and what would make it better. */
  readonly conclusion?: Conclusion;
}

export interface ChecklistItem {
  readonly label: string;
  readonly state: "ok" | "missing" | "incomplete" | "stale" | "optional" | "blocked";
  readonly detail?: string;
}

/** Everything `episode status` says, concluded from what was found. */
export function describeEpisode(survey: EpisodeSurvey): EpisodeStatus {
  const assets = assetIds(survey).map((assetId) => describeAsset(survey, assetId));
  const steps = nextSteps(survey, assets);
  return {
    ...defined({ episodeId: survey.episodeId }),
    problems: survey.problems,
    checklist: checklistOf(survey, assets),
    assets,
    tracks: survey.tracks,
    nextSteps: steps,
    ...(steps.length === 0 ? { conclusion: concludeEpisode(assets) } : {}),
  };
}

/** The thirteen first, then custom ones by name. */
function assetIds({ texts }: EpisodeSurvey): readonly string[] {
  const seen = texts.map(({ evidence }) => evidence.assetId);
  const custom = new Set(seen.filter((id) => !(assetKinds as readonly string[]).includes(id)));
  return [...assetKinds, ...[...custom].sort()];
}

function describeAsset(survey: EpisodeSurvey, assetId: string): AssetStatus {
  const text = survey.texts.find(({ evidence }) => evidence.assetId === assetId);
  return text === undefined ? unstartedText(assetId) : describeText(text);
}

/** One text of an episode; of a custom one that has no file yet, that it has not been started. */
export function assetStatusOf({ assets }: EpisodeStatus, assetId: string): AssetStatus {
  return assets.find((asset) => asset.assetId === assetId) ?? unstartedText(assetId);
}

function checklistOf(
  survey: EpisodeSurvey,
  assets: readonly AssetStatus[],
): readonly ChecklistItem[] {
  const required = assets.filter((asset) =>
    (assetKinds as readonly string[]).includes(asset.assetId),
  );
  return [
    ...[layout.episodeYaml, layout.state].map((file) => fileItem(survey, file)),
    ...episodeStages.map((stage) => stageItem(stage, survey.stages[stage])),
    assetsItem("candidates", required, (asset) => asset.candidates > 0),
    assetsItem(
      "signed or picked",
      required,
      (asset) => isAccepted(asset) || asset.state === "stale",
    ),
    assetsItem("selected", required, (asset) => asset.selection !== undefined),
  ];
}

function fileItem(survey: EpisodeSurvey, file: string): ChecklistItem {
  const problem = survey.problems.find((one) => one.file === file);
  if (problem === undefined) return { label: file, state: "ok" };
  return {
    label: file,
    state: problem.rule === "file-exists" ? "missing" : "blocked",
    detail: problem.message,
  };
}

function stageItem(stage: EpisodeStage, found: StageSurvey): ChecklistItem {
  const label = stage.replace("_", " ");
  if (found.count === 0) return { label, state: stage === "chapters" ? "optional" : "missing" };
  if (found.freshness.kind === "stale") {
    return { label, state: "stale", detail: found.freshness.because };
  }
  if (found.expected !== undefined && found.count < found.expected) {
    return { label, state: "incomplete", detail: `${found.count} of ${found.expected}` };
  }
  return found.count > 1
    ? { label, state: "ok", detail: `${found.count} files` }
    : { label, state: "ok" };
}

function assetsItem(
  label: string,
  assets: readonly AssetStatus[],
  isThere: (asset: AssetStatus) => boolean,
): ChecklistItem {
  const missing = assets.filter((asset) => !isThere(asset)).map((asset) => asset.assetId);
  const stale = assets.filter((asset) => isThere(asset) && asset.isStale).map((one) => one.assetId);
  if (missing.length === assets.length) return { label, state: "missing" };
  if (missing.length > 0)
    return { label, state: "incomplete", detail: `not yet: ${missing.join(", ")}` };
  if (stale.length > 0) return { label, state: "stale", detail: stale.join(", ") };
  return { label, state: "ok" };
}
