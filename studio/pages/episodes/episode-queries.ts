import { queryOptions } from "@tanstack/react-query";
import type { AnswerOf } from "../../../src/contract/http/route.ts";
import type { Routes } from "../../../src/contract/http/routes.ts";
import { typedCommand } from "../../../src/domain/episodes/typed-command.ts";
import { ask } from "../../api/client.ts";

export type EpisodeLine = AnswerOf<Routes["GET /api/v1/episodes"]>["episodes"][number];
export type EpisodeStatus = AnswerOf<Routes["GET /api/v1/episodes/:episode_id"]>;
export type AssetStatus = EpisodeStatus["assets"][number];
export type AssetDetail = AnswerOf<Routes["GET /api/v1/episodes/:episode_id/assets/:asset_id"]>;
export type Candidate = AssetDetail["candidates"][number];

export const episodeList = queryOptions({
  queryKey: ["episodes"],
  queryFn: () => ask("GET /api/v1/episodes", {}),
});

export function episodeOf(episode: string) {
  return queryOptions({
    queryKey: ["episodes", episode],
    queryFn: () => ask("GET /api/v1/episodes/:episode_id", { params: { episode_id: episode } }),
  });
}

export function materialOf(episode: string) {
  return queryOptions({
    queryKey: ["episodes", episode, "material"],
    queryFn: () =>
      ask("GET /api/v1/episodes/:episode_id/material", { params: { episode_id: episode } }),
  });
}

export function assetOf(episode: string, asset: string) {
  return queryOptions({
    queryKey: ["episodes", episode, "asset", asset],
    queryFn: () =>
      ask("GET /api/v1/episodes/:episode_id/assets/:asset_id", {
        params: { episode_id: episode, asset_id: asset },
      }),
  });
}

/** A command of an episode's status, as it is typed in the project's folder. */
export function commandFor({ workspace }: EpisodeStatus, command: string): string {
  return typedCommand(command, workspace === "." ? undefined : workspace);
}
