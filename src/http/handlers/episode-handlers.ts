import { episodeStatusToJson } from "../../contract/http/episodes.ts";
import { assetKinds } from "../../domain/episodes/asset-kind.ts";
import { assetStatusOf } from "../../domain/episodes/episode-status.ts";
import { isAccepted } from "../../domain/episodes/text-standing.ts";
import { defined } from "../../domain/values/defined.ts";
import type { RunId } from "../../domain/values/ids.ts";
import type { Json } from "../../domain/values/json.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { Author } from "../../orchestration/drafting/rule-on-draft.ts";
import { adoptText, pickCandidate } from "../../orchestration/episodes/choose-text.ts";
import { planDrafts } from "../../orchestration/episodes/draft-episode.ts";
import { loadMaterialView } from "../../orchestration/episodes/episode-material.ts";
import { loadAsset } from "../../orchestration/episodes/load-asset.ts";
import {
  ensureState,
  openTexts,
  planReview,
  startReview,
  startTogether,
} from "../../orchestration/episodes/review-episode.ts";
import { unlockAsset } from "../../orchestration/episodes/rule-on-asset.ts";
import type { EpisodeRequest, FoundEpisode } from "../episode-parts.ts";
import { type HandlersFor, ok } from "../handler.ts";
import { oneAfterTheOther } from "../one-after-the-other.ts";
import { type NamedStart, startOnce } from "../start-once.ts";
import type { StudioParts } from "../studio-parts.ts";
import { started } from "./run-handlers.ts";

const usualCandidates = 3;

export function episodeHandlers(
  parts: StudioParts,
): HandlersFor<`${"GET" | "POST"} /api/v1/episodes${string}`> {
  const { episodes } = parts;
  const inTurn = oneAfterTheOther();
  const startIn = (
    { params, body, ...given }: StartRequest,
    work: string,
    start: (workspace: FoundEpisode, named: NamedStart) => Promise<RunId>,
  ) =>
    inTurn(async () => {
      const workspace = await existing(parts, params.episodeId);
      const asked = { work, ...params, ...body } as Json;
      return started(
        await startOnce(parts, { ...given, asked }, (named) => start(workspace, named)),
      );
    });
  return {
    "GET /api/v1/episodes": async () => {
      const found = await episodes.find();
      return ok({ episodes: await Promise.all(found.map((one) => lineOf(parts, one))) });
    },
    "GET /api/v1/episodes/:episode_id": async ({ params }) => {
      const workspace = await existing(parts, params.episodeId);
      const status = await episodes.status(workspace);
      const missingAgents = await episodes.missingAgents(workspace);
      return { status: 200, wire: episodeStatusToJson(workspace.path, status, { missingAgents }) };
    },
    "GET /api/v1/episodes/:episode_id/material": async ({ params }) => {
      const { folder } = await existing(parts, params.episodeId);
      return ok(await loadMaterialView(folder));
    },
    "GET /api/v1/episodes/:episode_id/assets/:asset_id": async ({ params }) => {
      const workspace = await existing(parts, params.episodeId);
      return ok(await detailOf(parts, workspace, params.assetId));
    },
    "POST /api/v1/episodes/:episode_id/assets/:asset_id/pick": async ({ params, body, author }) => {
      const workspace = await existing(parts, params.episodeId);
      const ruling = rulingOf(parts, body, author);
      const choice = { ...params, candidateId: body.candidateId, ruling };
      await pickCandidate(episodes.project, workspace, choice);
      return ok(await detailOf(parts, workspace, params.assetId));
    },
    "POST /api/v1/episodes/:episode_id/assets/:asset_id/adopt": async ({
      params,
      body,
      author,
    }) => {
      const workspace = await existing(parts, params.episodeId);
      const { assetId } = params;
      const { text, reason } = body;
      const ruling = { ...rulingOf(parts, body, author), reason };
      await adoptText(episodes.project, workspace, { assetId, ruling, ...defined({ text }) });
      return ok(await detailOf(parts, workspace, assetId));
    },
    "POST /api/v1/episodes/:episode_id/assets/:asset_id/unlock": async ({
      params,
      body,
      author,
    }) => {
      const workspace = await existing(parts, params.episodeId);
      const { assetId } = params;
      const act = { assetId, ruling: rulingOf(parts, body, author) };
      await unlockAsset(episodes.project, workspace, act);
      return ok(await detailOf(parts, workspace, assetId));
    },
    "POST /api/v1/episodes/:episode_id/draft": (given) =>
      startIn(given, "draft", (workspace, named) =>
        draft(parts, workspace, { ...given.body, named }),
      ),
    "POST /api/v1/episodes/:episode_id/review": (given) =>
      startIn(given, "review", (workspace, named) =>
        review(parts, workspace, { ...given.body, named }),
      ),
  };
}

/** One text with its state, as the status of the episode has it. */
async function detailOf(
  { clock, episodes }: StudioParts,
  workspace: FoundEpisode,
  assetId: string,
) {
  const detail = await loadAsset(workspace.folder, assetId, clock.now());
  const { state, why, support, vote, deciders, missing } = assetStatusOf(
    await episodes.status(workspace, assetId),
    assetId,
  );
  return { ...detail, state, why, ...defined({ support, vote }), deciders, missing };
}

interface StartRequest {
  readonly params: { readonly episodeId: string };
  readonly body: object;
  readonly idempotencyKey?: string;
}

type NamedRequest = EpisodeRequest & { readonly named: NamedStart };

async function draft(
  parts: StudioParts,
  workspace: FoundEpisode,
  asked: NamedRequest & { readonly candidates?: number; readonly anew?: boolean },
): Promise<RunId> {
  const { clock, episodes } = parts;
  const { candidates = usualCandidates, anew = false, named, ...request } = asked;
  const { run, ...kept } = named;
  const found = await episodes.requests(workspace, request, ["drafter"]);
  const requests = found.map((one) => ({ ...one, candidates }));
  await prepare(parts, workspace);
  const plan = await planDrafts(workspace, requests, { at: clock.now(), anew });
  if (plan.jobs.length === 0) throw nothingToDo("Every text is already drafted.");
  const { budget, project } = episodes;
  return (await startTogether(project, { ...plan, budget, ...kept }, run)).run;
}

async function review(
  parts: StudioParts,
  workspace: FoundEpisode,
  { named, ...request }: NamedRequest,
): Promise<RunId> {
  const { run, ...kept } = named;
  const { clock, episodes } = parts;
  const assetIds =
    request.assetIds ?? (await openTexts(workspace, assetKinds, { isAll: true })).unpicked;
  if (assetIds.length === 0) throw nothingToDo("Every text was picked by a person.");
  const asked = { ...request, assetIds: [...assetIds] };
  const requests = await episodes.requests(workspace, asked, ["creator", "reviewer"]);
  await prepare(parts, workspace);
  const plan = await planReview(workspace, requests, clock.now());
  if (plan.jobs.length === 0)
    throw nothingToDo("Every text is already decided; nothing is left to review.");
  const { budget, project } = episodes;
  const hasNamedModels = asked.model !== undefined || asked.reviewerModel !== undefined;
  return (await startReview(project, { ...plan, budget, hasNamedModels, ...kept }, run)).run;
}

async function prepare({ clock, episodes }: StudioParts, workspace: FoundEpisode): Promise<void> {
  await workspace.folder.sweep();
  await ensureState(workspace, episodes.lock, clock.now());
}

async function existing({ episodes }: StudioParts, id: string): Promise<FoundEpisode> {
  const found = await episodes.named(id);
  if (found !== undefined) return found;
  throw new ConfigurationError("There is no such episode.", {
    code: "episode-unknown",
    facts: { episode: id },
    hint: "Its folder may have been moved; see the list of episodes.",
  });
}

/** A broken workspace is a line with its problems. */
async function lineOf({ episodes }: StudioParts, workspace: FoundEpisode) {
  const { id, path } = workspace;
  const { episodeId, assets, problems } = await episodes.status(workspace);
  const count = (wanted: (asset: (typeof assets)[number]) => boolean): number =>
    assets.filter(wanted).length;
  return {
    id,
    workspace: path,
    ...defined({ episodeId }),
    assets: assets.length,
    signed: count(isAccepted),
    needsHuman: count(({ state }) => state === "needs_human"),
    stale: count(({ isStale }) => isStale),
    problems: problems.length,
  };
}

function rulingOf(
  parts: StudioParts,
  { version, reason }: { readonly version: string; readonly reason?: string },
  { by }: Author,
) {
  return {
    by,
    at: parts.clock.now(),
    ifVersion: version,
    ...defined({ reason }),
  };
}

function nothingToDo(message: string): ConfigurationError {
  return new ConfigurationError(message, { code: "nothing-to-do" });
}
