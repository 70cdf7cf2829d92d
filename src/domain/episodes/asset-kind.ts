import type { TextFormat } from "../drafting/candidate.ts";

/** The texts an episode is published with, in the order they are drafted and shown. */
export const assetKinds = [
  "description",
  "shownotes",
  "summary_short",
  "title_detail",
  "title_seo",
  "subtitle_auphonic",
  "slug",
  "cms_tags",
  "audio_tags",
  "itunes_keywords",
  "mastodon",
  "linkedin",
  "youtube_description",
] as const;

export type AssetKind = (typeof assetKinds)[number];

/** A selection of one of these is a promise to the outside (links, feeds) and is never changed by a loop. */
const lockedKinds: readonly string[] = ["slug", "title_detail", "title_seo", "subtitle_auphonic"];

const plainKinds: readonly string[] = [
  ...lockedKinds,
  "itunes_keywords",
  "mastodon",
  "linkedin",
  "youtube_description",
];

export function isAssetKind(assetId: string): assetId is AssetKind {
  return (assetKinds as readonly string[]).includes(assetId);
}

/** Known kinds and custom ids alike; also the rule for track ids. */
export function isAssetId(text: string): boolean {
  return /^[a-z][a-z0-9_]*$/.test(text) && !text.endsWith("\n");
}

export function isLockedKind(assetId: string): boolean {
  return lockedKinds.includes(assetId);
}

export function formatOfKind(kind: AssetKind): TextFormat {
  return plainKinds.includes(kind) ? "plain" : "markdown";
}
