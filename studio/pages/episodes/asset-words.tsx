import { textStateWords } from "../../../src/domain/episodes/text-standing.ts";
import { asTitle } from "../../design/amounts.ts";
import { Lock } from "../../design/lock.tsx";
import { StandIn } from "../../design/state-badge.tsx";
import type { AssetStatus } from "./episode-queries.ts";

const names: { readonly [assetId: string]: string } = {
  summary_short: "Short summary",
  title_detail: "Detailed title",
  title_seo: "Search title",
  subtitle_auphonic: "Subtitle",
  cms_tags: "CMS tags",
  audio_tags: "Audio tags",
  itunes_keywords: "iTunes keywords",
  linkedin: "LinkedIn",
  youtube_description: "YouTube description",
};

/** What people call a text. */
export function assetName(assetId: string): string {
  const words = assetId.replaceAll("_", " ");
  return names[assetId] ?? asTitle(words);
}

const verdicts = {
  ok: "reviewer: approved",
  changes_requested: "reviewer: changes requested",
  needs_human: "reviewer: needs a person",
} as const;

export function verdictWords(verdict: NonNullable<AssetStatus["verdict"]>): string {
  return verdicts[verdict];
}

/** How a text is doing, at a glance. */
export const assetTones: { readonly [state in AssetStatus["state"]]: string } = {
  not_started: "",
  drafted: "",
  in_review: "wait",
  needs_human: "bad",
  signed: "good",
  picked: "good",
  stale: "wait",
  edited: "bad",
  unsigned: "bad",
  evidence_missing: "bad",
};

export function AssetBadges({ asset }: { readonly asset: AssetStatus }) {
  return (
    <span className="row">
      <span className={`badge ${assetTones[asset.state]}`} title={asset.why}>
        {asTitle(textStateWords[asset.state])}
      </span>
      {asset.support === "attested" && <span className="badge wait">attested</span>}
      {asset.is_locked && (
        <span className="badge">
          <Lock /> locked
        </span>
      )}
      {asset.is_draft_stale && <span className="badge wait">newest draft stale</span>}
      {asset.deciders.includes("stand_in") && <StandIn />}
      {asset.deciders.includes("scripted") && <span className="badge wait">script</span>}
    </span>
  );
}
