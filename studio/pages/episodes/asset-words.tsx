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
  return names[assetId] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

const verdicts = {
  ok: "reviewer: ok",
  changes_requested: "reviewer: changes asked for",
  needs_human: "reviewer: needs a person",
} as const;

export function verdictWords(verdict: NonNullable<AssetStatus["verdict"]>): string {
  return verdicts[verdict];
}

/** The progress of a text. */
function stageOf(asset: AssetStatus): readonly [tone: string, text: string] {
  switch (asset.outcome) {
    case "converged":
      return ["good", "Signed"];
    case "needs_human":
      return ["bad", "Needs a person"];
    case "in_progress":
      return ["wait", "In review"];
    case "not_started":
      return asset.candidates > 0 ? ["", "Drafted"] : ["", "Not started"];
  }
}

export function AssetBadges({ asset }: { readonly asset: AssetStatus }) {
  const [tone, text] = stageOf(asset);
  return (
    <span className="row">
      <span className={`badge ${tone}`}>{text}</span>
      {asset.selection?.made_by === "person" && <span className="badge good">Picked</span>}
      {asset.is_locked && (
        <span className="badge">
          <Lock /> locked
        </span>
      )}
      {asset.is_stale && <span className="badge wait">stale</span>}
      {asset.stand_in && <StandIn />}
    </span>
  );
}

function Lock() {
  return (
    <svg className="lock" viewBox="0 0 12 12" aria-hidden="true">
      <path d="M3 5V3.5a3 3 0 0 1 6 0V5h.5a1 1 0 0 1 1 1v5a1 1 0 0 1-1 1h-7a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1zm1.5 0h3V3.5a1.5 1.5 0 0 0-3 0z" />
    </svg>
  );
}
