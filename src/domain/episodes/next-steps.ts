import { notByModel } from "../evidence/standing.ts";
import { isAssetKind, isLockedKind } from "./asset-kind.ts";
import type { AssetStatus } from "./asset-status.ts";
import type { EpisodeSurvey, StageSurvey } from "./episode-survey.ts";
import type { TextState } from "./text-standing.ts";

/** One command to run next, without the program's name and the workspace flag. */
export interface NextStep {
  readonly command: string;
  readonly why: string;
}

/** What was reached when no step is left, and what would make it better. */
export interface Conclusion {
  readonly text: string;
  readonly command?: string;
}

/**
 * The pipeline is one line: the first stage that is not done hides everything behind it, except selected texts that lack
 * their evidence. Every text that is not accepted leads to a step, so no step means that all are.
 */
export function nextSteps(
  survey: EpisodeSurvey,
  assets: readonly AssetStatus[],
): readonly NextStep[] {
  if (survey.problems.length > 0) {
    return survey.problems.map(({ file, message }) => ({
      command: "doctor",
      why: `repair ${file}: ${message}`,
    }));
  }
  const { transcript, chunks, chunk_summaries, episode_summary } = survey.stages;
  const mending = assets.filter(({ state }) => mended.includes(state)).map(mendStep);
  const stage = (command: string, why: string) => [...mending, { command, why }];
  if (transcript.count === 0) {
    return stage(
      "episode add --transcript -",
      "there is no transcript yet; paste it, or name its file in place of -",
    );
  }
  if (needsWork(chunks)) return stage("episode chunk", reason("chunks", chunks));
  if (needsWork(chunk_summaries)) {
    return stage("episode summarize", reason("chunk summaries", chunk_summaries));
  }
  if (needsWork(episode_summary)) {
    return stage("episode summarize", reason("episode summary", episode_summary));
  }
  return [...mending, ...assetSteps(assets)];
}

const mended: readonly TextState[] = ["edited", "unsigned", "evidence_missing"];

function mendStep({ assetId, missing, why }: AssetStatus): NextStep {
  const command = missing.find((one) => one.command !== undefined)?.command;
  return { command: command ?? `episode pick --asset-id ${assetId}`, why: `${assetId}: ${why}` };
}

function assetSteps(assets: readonly AssetStatus[]): readonly NextStep[] {
  const steps: NextStep[] = [];
  const undrafted = assets.filter(({ state }) => state === "not_started");
  if (undrafted.length > 0) {
    steps.push({
      command: `episode draft${flags(undrafted, assets)}`,
      why: `no candidates: ${names(undrafted)}`,
    });
  }
  steps.push(...staleSteps(assets));
  steps.push(...reviewSteps(assets));
  for (const asset of assets.filter(({ state }) => state === "needs_human")) {
    const { command, why } = mendStep(asset);
    steps.push({ command, why: `${why}, ${asset.blockingIssues} blocking` });
  }
  return steps;
}

/** `--all` means the thirteen; custom texts are named. */
function reviewSteps(assets: readonly AssetStatus[]): readonly NextStep[] {
  const open = assets.filter(({ state }) => state === "drafted" || state === "in_review");
  const usual = open.filter(({ assetId }) => isAssetKind(assetId));
  const one = (asset: AssetStatus): NextStep => ({
    command: `episode review${flags([asset], [])}`,
    why: `not signed yet: ${asset.assetId}`,
  });
  if (usual.length < 2) return open.map(one);
  const all = { command: "episode review --all", why: `not signed yet: ${names(usual)}` };
  return [all, ...open.filter((asset) => !usual.includes(asset)).map(one)];
}

/** Drafts are written again. A text that was signed is signed again, and what a person chose is theirs to change. */
function staleSteps(assets: readonly AssetStatus[]): readonly NextStep[] {
  const drafts = assets.filter((asset) => asset.isDraftStale && !isLockedKind(asset.assetId));
  const stale = assets.filter(({ state }) => state === "stale");
  const again = stale.filter(({ selection }) => selection?.madeBy !== "person");
  const [first] = again;
  const isAll = again.length === assets.length && again.every(({ why }) => why === first?.why);
  return [
    ...(drafts.length === 0
      ? []
      : [
          {
            command: `episode draft${flags(drafts, assets)}`,
            why: `written from older inputs: ${names(drafts)}`,
          },
        ]),
    ...(isAll
      ? [
          {
            command: `episode review --all --restart --reason "${first?.why}"`,
            why: `${first?.why}: ${names(again)}`,
          },
        ]
      : again.map(mendStep)),
    ...stale.filter((asset) => !again.includes(asset)).map(mendStep),
  ];
}

/** Says that all is done only where models or people did it. */
export function concludeEpisode(assets: readonly AssetStatus[]): Conclusion {
  const others = assets.filter(({ deciders }) => notByModel(deciders) !== undefined);
  if (others.length === 0) return { text: "Everything is signed and selected." };
  const kinds = new Set(others.map(({ deciders }) => notByModel(deciders)));
  const groups = [...kinds].map((by) => {
    const some = others.filter(({ deciders }) => notByModel(deciders) === by);
    return `${some.length === assets.length ? "All of them" : names(some)}: ${by}`;
  });
  return {
    text: `Every text is selected. ${groups.join("; ")}. With a model configured, or named with --model:`,
    command: "episode review --all --restart",
  };
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
