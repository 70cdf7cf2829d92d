import { isLocked, type LoopOutcome } from "../drafting/decision.ts";
import type { RaisedIssue, Verdict } from "../drafting/review.ts";
import { defined } from "../values/defined.ts";
import type { Asset } from "./asset.ts";
import { assetKinds, isLockedKind } from "./asset-kind.ts";
import type { Freshness } from "./derived-files.ts";
import type { Track } from "./episode-workspace.ts";
import { layout } from "./layout.ts";
import { isSignedByStandIn, type ProtocolState } from "./protocol-state.ts";

/** What was found on disk, before any conclusions. */
export interface EpisodeSurvey {
  readonly episodeId?: string;
  /** Files that could not be read or break a rule. */
  readonly problems: readonly EpisodeProblem[];
  readonly stages: { readonly [stage in EpisodeStage]: StageSurvey };
  readonly assets: readonly Asset[];
  readonly tracks: readonly Track[];
  readonly protocols: readonly ProtocolState[];
  readonly selections: readonly SelectionSurvey[];
  /** By asset: whether its newest candidate still fits the summary it was written from. */
  readonly candidateFreshness: ReadonlyMap<string, Freshness>;
}

export interface EpisodeProblem {
  readonly file: string;
  readonly rule: string;
  readonly message: string;
}

const stages = ["transcript", "chapters", "chunks", "chunk_summaries", "episode_summary"] as const;

export type EpisodeStage = (typeof stages)[number];

export interface StageSurvey {
  readonly count: number;
  /** How many there should be, when that is known. */
  readonly expected?: number;
  readonly freshness: Freshness;
}

export interface SelectionSurvey {
  readonly assetId: string;
  readonly path: string;
  readonly madeBy: "person" | "loop" | "unknown";
  readonly freshness: Freshness;
  /** A person lifted the lock of exactly this text. */
  readonly isUnlocked: boolean;
}

export interface EpisodeStatus {
  readonly episodeId?: string;
  readonly problems: readonly EpisodeProblem[];
  readonly checklist: readonly ChecklistItem[];
  readonly assets: readonly AssetStatus[];
  readonly tracks: readonly Track[];
  readonly nextSteps: readonly NextStep[];
}

export interface ChecklistItem {
  readonly label: string;
  readonly state: "ok" | "missing" | "incomplete" | "stale" | "optional" | "blocked";
  readonly detail?: string;
}

export interface AssetStatus {
  readonly assetId: string;
  readonly candidates: number;
  /** 0 before the first iteration. */
  readonly iteration: number;
  readonly maxIterations?: number;
  readonly verdict?: Verdict;
  readonly outcome: LoopOutcome | "not_started";
  readonly reason?: string;
  /** Of the latest iteration alone. */
  readonly blockingIssues: number;
  readonly outstandingIssues: readonly RaisedIssue[];
  readonly selection?: SelectionSurvey;
  readonly isLocked: boolean;
  /** A person unlocked its decision: the next review continues. */
  readonly isReopened: boolean;
  readonly isStale: boolean;
  /** Its loop's last text or verdict comes from a rule-based stand-in. */
  readonly standIn: boolean;
}

/** One command to run next, without the program's name and the workspace flag. */
export interface NextStep {
  readonly command: string;
  readonly why: string;
}

/** Everything `episode status` says, concluded from what was found. */
export function describeEpisode(survey: EpisodeSurvey): EpisodeStatus {
  const assets = assetIds(survey).map((assetId) => describeAsset(survey, assetId));
  return {
    ...defined({ episodeId: survey.episodeId }),
    problems: survey.problems,
    checklist: checklistOf(survey, assets),
    assets,
    tracks: survey.tracks,
    nextSteps: nextSteps(survey, assets),
  };
}

/** The thirteen first, then custom ones by name. */
function assetIds(survey: EpisodeSurvey): readonly string[] {
  const seen = [
    ...survey.assets.map((asset) => asset.assetId),
    ...survey.protocols.map((protocol) => protocol.assetId),
    ...survey.selections.map((selection) => selection.assetId),
  ];
  const custom = new Set(seen.filter((id) => !(assetKinds as readonly string[]).includes(id)));
  return [...assetKinds, ...[...custom].sort()];
}

function describeAsset(survey: EpisodeSurvey, assetId: string): AssetStatus {
  const asset = survey.assets.find((one) => one.assetId === assetId);
  const protocol = survey.protocols.find((one) => one.assetId === assetId);
  const selection = survey.selections.find((one) => one.assetId === assetId);
  const last = protocol?.iterations.at(-1);
  const decision = protocol?.decision;
  const issues = last?.review.issues ?? [];
  const isStale =
    survey.candidateFreshness.get(assetId)?.kind === "stale" ||
    selection?.freshness.kind === "stale";
  return {
    assetId,
    candidates: asset?.candidates.length ?? 0,
    iteration: last?.iteration ?? 0,
    ...(protocol === undefined ? {} : { maxIterations: protocol.maxIterations }),
    ...(last === undefined ? {} : { verdict: last.review.verdict }),
    outcome: decision?.outcome ?? (protocol === undefined ? "not_started" : "in_progress"),
    ...(decision?.reason === undefined ? {} : { reason: decision.reason }),
    blockingIssues: issues.filter((issue) => issue.severity === "error").length,
    outstandingIssues: issues,
    ...defined({ selection }),
    isLocked: selection?.isUnlocked === false && isLockedKind(assetId),
    isReopened: decision !== undefined && !isLocked(decision),
    isStale,
    standIn: protocol !== undefined && isSignedByStandIn(protocol),
  };
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
    ...stages.map((stage) => stageItem(stage, survey.stages[stage])),
    assetsItem("candidates", required, (asset) => asset.candidates > 0),
    assetsItem("reviews signed", required, (asset) => asset.outcome === "converged"),
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

/** The pipeline is one line: the first stage that is not done hides everything behind it. */
function nextSteps(survey: EpisodeSurvey, assets: readonly AssetStatus[]): readonly NextStep[] {
  if (survey.problems.length > 0) {
    return survey.problems.map(({ file, message }) => ({
      command: "doctor",
      why: `repair ${file}: ${message}`,
    }));
  }
  const { transcript, chunks, chunk_summaries, episode_summary } = survey.stages;
  if (transcript.count === 0) {
    return [{ command: "episode add --transcript FILE", why: "there is no transcript yet" }];
  }
  if (needsWork(chunks)) return [{ command: "episode chunk", why: reason("chunks", chunks) }];
  if (needsWork(chunk_summaries)) {
    return [{ command: "episode summarize", why: reason("chunk summaries", chunk_summaries) }];
  }
  if (needsWork(episode_summary)) {
    return [{ command: "episode summarize", why: reason("episode summary", episode_summary) }];
  }
  return assetSteps(survey, assets);
}

function assetSteps(survey: EpisodeSurvey, assets: readonly AssetStatus[]): readonly NextStep[] {
  const steps: NextStep[] = [];
  const undrafted = assets.filter((asset) => asset.candidates === 0 && asset.iteration === 0);
  if (undrafted.length > 0) {
    steps.push({
      command: `episode draft${flags(undrafted, assets)}`,
      why: `no candidates: ${names(undrafted)}`,
    });
  }
  steps.push(...staleSteps(survey, assets));
  const open = assets.filter(isOpen);
  if (open.length === 1) {
    steps.push({
      command: `episode review${flags(open, [])}`,
      why: `not signed yet: ${names(open)}`,
    });
  } else if (open.length > 1) {
    steps.push({ command: "episode review --all", why: `not signed yet: ${names(open)}` });
  }
  for (const asset of assets) {
    if (asset.outcome === "needs_human" && asset.selection === undefined) {
      steps.push({
        command: `episode pick --asset-id ${asset.assetId}`,
        why: `${asset.assetId} needs a person (${asset.reason ?? "no reason given"}), ${asset.blockingIssues} blocking`,
      });
    }
  }
  return steps;
}

/** Drafts are written again. A text that was signed is signed again, and what a person chose is theirs to change. */
function staleSteps(survey: EpisodeSurvey, assets: readonly AssetStatus[]): readonly NextStep[] {
  const why = (some: readonly AssetStatus[]): string =>
    `written from an older transcript: ${names(some)}`;
  const drafts = assets.filter(
    ({ assetId, isLocked }) =>
      survey.candidateFreshness.get(assetId)?.kind === "stale" && !isLocked,
  );
  const signed = assets.filter(
    (asset) =>
      asset.isStale &&
      !isOpen(asset) &&
      (asset.isLocked || asset.selection?.freshness.kind === "stale"),
  );
  const chosen = signed.filter((asset) => !asset.isLocked && asset.selection?.madeBy === "person");
  const again = signed.filter((asset) => !chosen.includes(asset));
  const restart = '--restart --reason "new transcript"';
  const reviews =
    again.length === assets.length
      ? [{ command: `episode review --all ${restart}`, why: why(again) }]
      : again.map((asset) => ({
          command: `episode review --asset-id ${asset.assetId} ${restart}`,
          why: why([asset]),
        }));
  return [
    ...(drafts.length === 0
      ? []
      : [{ command: `episode draft${flags(drafts, assets)}`, why: why(drafts) }]),
    ...reviews,
    ...chosen.map((asset) => ({
      command: `episode pick --asset-id ${asset.assetId}`,
      why: why([asset]),
    })),
  ];
}

function isOpen(asset: AssetStatus): boolean {
  if (asset.isReopened || asset.outcome === "in_progress") return true;
  return asset.outcome === "not_started" && asset.candidates > 0;
}

function needsWork(stage: StageSurvey): boolean {
  return (
    stage.count === 0 ||
    stage.freshness.kind === "stale" ||
    (stage.expected !== undefined && stage.count < stage.expected)
  );
}

function reason(what: string, stage: StageSurvey): string {
  if (stage.count === 0) return `no ${what} yet`;
  if (stage.freshness.kind === "stale") return `${what} are stale: ${stage.freshness.because}`;
  return `${stage.count} of ${stage.expected} ${what}`;
}

function flags(some: readonly AssetStatus[], all: readonly AssetStatus[]): string {
  return some.length === all.length
    ? ""
    : some.map((asset) => ` --asset-id ${asset.assetId}`).join("");
}

function names(assets: readonly AssetStatus[]): string {
  return assets.map((asset) => asset.assetId).join(", ");
}
