import type {
  AssetStatus,
  ChecklistItem,
  EpisodeStatus,
} from "../../domain/episodes/episode-status.ts";
import { renderCount } from "../shell/amounts.ts";
import { padToWidth } from "../shell/display-width.ts";
import type { Lead, Line } from "../shell/lay-out.ts";
import type { Style } from "../shell/palette.ts";
import { accent, caution, good, heading, muted, strong } from "../shell/styles.ts";

const styles: { readonly [state in ChecklistItem["state"]]: Style } = {
  ok: "good",
  missing: "caution",
  incomplete: "caution",
  stale: "bad",
  optional: "muted",
  blocked: "bad",
};

/** An episode on one screen: its material, the state of each text, and what to type next. */
export function episodeStatusLines(
  status: EpisodeStatus,
  { workspace, named }: { readonly workspace: string; readonly named: string },
): readonly Line[] {
  const started = status.assets.filter((asset) => asset.candidates > 0 || asset.iteration > 0);
  return [
    [heading(`Episode ${status.episodeId ?? "?"}`), muted(` in ${workspace}`)],
    ...section(
      "Checklist",
      status.checklist.map(({ state, detail, label }) => ({
        lead: lead(label),
        spans: [{ text: state, style: styles[state] }, detail && `  ${detail}`],
      })),
    ),
    ...section(
      "Tracks",
      status.tracks.map(({ trackId, path, role }) => ({
        lead: lead(trackId),
        spans: [path, role && ` (${role})`],
      })),
    ),
    ...section("Texts", started.flatMap(assetLines)),
    standInLine(started),
    ...section("Next steps", nextLines(status, named)),
  ];
}

function section(title: string, lines: readonly Line[]): readonly Line[] {
  return lines.length === 0 ? [] : ["", strong(title), ...lines];
}

function lead(name: string): Lead {
  return [`  ${padToWidth(name, 20)} `];
}

function assetLines(asset: AssetStatus): readonly Line[] {
  const { outcome, reason, iteration, maxIterations, verdict, selection } = asset;
  const style: Style =
    outcome === "converged" ? "good" : outcome === "needs_human" ? "bad" : "caution";
  const facts = [
    ...(iteration === 0 ? [] : [`iteration ${iteration}/${maxIterations ?? "?"}`]),
    ...(verdict === undefined ? [] : [`verdict ${verdict}`]),
    renderCount(asset.candidates, "candidate"),
    ...(asset.blockingIssues === 0 ? [] : [`${asset.blockingIssues} blocking`]),
    ...(selection === undefined ? [] : [`selected by ${choosers[selection.madeBy]}`]),
    ...(asset.isLocked ? ["locked"] : []),
    ...(asset.isReopened ? ["unlocked"] : []),
    ...(asset.isStale ? ["STALE"] : []),
  ];
  const why = reason === undefined ? "" : ` (${reason})`;
  const issues = outcome === "converged" ? [] : asset.outstandingIssues;
  return [
    {
      lead: lead(asset.assetId),
      spans: [{ text: `${outcome.replace("_", " ")}${why}`, style }, `; ${facts.join(", ")}`],
    },
    ...issues.map(({ severity, message, code, field }): Line => {
      const about = [...(code ? [`code=${code}`] : []), ...(field ? [`field=${field}`] : [])];
      return {
        lead: [{ text: `    - ${severity}: `, style: severity === "error" ? "bad" : "caution" }],
        spans: [message, about.length > 0 && ` (${about.join(", ")})`],
      };
    }),
  ];
}

/** A stand-in's signature is not a model's, and the status must show that. */
function standInLine(assets: readonly AssetStatus[]): Line {
  const some = assets.filter((asset) => asset.standIn);
  if (some.length === 0) return undefined;
  const which = some.length === assets.length ? "all" : some.map((one) => one.assetId).join(", ");
  const text = `Signed by rule-based stand-ins, not by models: ${which}.`;
  return { lead: ["  "], spans: [caution(text)] };
}

const choosers = { person: "a person", loop: "the loop", unknown: "an unknown author" } as const;

function nextLines(status: EpisodeStatus, named: string): readonly Line[] {
  if (status.nextSteps.length === 0) return [good("  Everything is signed and selected.")];
  return status.nextSteps.map(({ command, why }) => {
    const typed = `signoff ${command}${command.startsWith("episode ") ? named : ""}`;
    return { lead: ["  "], spans: [accent(typed), muted(`\n${why}`)] };
  });
}
