import type {
  AssetStatus,
  ChecklistItem,
  EpisodeStatus,
} from "../../domain/episodes/episode-status.ts";
import { renderCount } from "../shell/amounts.ts";
import { padToWidth } from "../shell/display-width.ts";
import { type Layout, layOut, type Span } from "../shell/lay-out.ts";
import type { Style } from "../shell/palette.ts";

const styles: { readonly [state in ChecklistItem["state"]]: Style } = {
  ok: "good",
  missing: "caution",
  incomplete: "caution",
  stale: "bad",
  optional: "muted",
  blocked: "bad",
};

/** The whole of an episode on one screen: what is there, how each text stands, and what to type next. */
export function renderEpisodeStatus(
  status: EpisodeStatus,
  about: { readonly workspace: string; readonly named: string },
  layout: Layout,
): readonly string[] {
  const begun = status.assets.filter((asset) => asset.candidates > 0 || asset.iteration > 0);
  return [
    ...layOut(
      [
        { text: `Episode ${status.episodeId ?? "?"}`, style: "heading" },
        { text: ` in ${about.workspace}`, style: "muted" },
      ],
      layout,
    ),
    ...section("Checklist", layout),
    ...status.checklist.flatMap((item) => checklistLine(item, layout)),
    ...(status.tracks.length === 0 ? [] : section("Tracks", layout)),
    ...status.tracks.flatMap(({ trackId, path, role }) =>
      layOut([{ text: `${path}${role === undefined ? "" : ` (${role})`}` }], layout, lead(trackId)),
    ),
    ...(begun.length === 0 ? [] : section("Texts", layout)),
    ...begun.flatMap((asset) => assetLines(asset, layout)),
    ...standInLines(begun, layout),
    ...section("Next steps", layout),
    ...nextLines(status, about.named, layout),
  ];
}

function section(title: string, layout: Layout): readonly string[] {
  return ["", ...layOut([{ text: title, style: "strong" }], layout)];
}

function lead(name: string, style?: Style): readonly Span[] {
  const text = `  ${padToWidth(name, 20)} `;
  return [style === undefined ? { text } : { text, style }];
}

function checklistLine(item: ChecklistItem, layout: Layout): readonly string[] {
  const detail = item.detail === undefined ? [] : [{ text: `  ${item.detail}` }];
  return layOut(
    [{ text: item.state, style: styles[item.state] }, ...detail],
    layout,
    lead(item.label),
  );
}

function assetLines(asset: AssetStatus, layout: Layout): readonly string[] {
  const { outcome, reason, iteration, maxIterations, verdict, selection } = asset;
  const style: Style =
    outcome === "converged" ? "good" : outcome === "needs_human" ? "bad" : "caution";
  const facts = [
    ...(iteration === 0 ? [] : [`iteration ${iteration}/${maxIterations ?? "?"}`]),
    ...(verdict === undefined ? [] : [`verdict ${verdict}`]),
    renderCount(asset.candidates, "candidate"),
    ...(asset.blockingIssues === 0 ? [] : [`${asset.blockingIssues} blocking`]),
    ...(selection === undefined ? [] : [`selected by ${chooser(selection.madeBy)}`]),
    ...(asset.isLocked ? ["locked"] : []),
    ...(asset.isReopened ? ["unlocked"] : []),
    ...(asset.isStale ? ["STALE"] : []),
  ];
  const why = reason === undefined ? "" : ` (${reason})`;
  const head: readonly Span[] = [
    { text: `${outcome.replace("_", " ")}${why}`, style },
    { text: `; ${facts.join(", ")}` },
  ];
  const issues = asset.outcome === "converged" ? [] : asset.outstandingIssues;
  return [
    ...layOut(head, layout, lead(asset.assetId)),
    ...issues.flatMap(({ severity, message, code, field }) => {
      const facts = [
        ...(code === undefined ? [] : [`code=${code}`]),
        ...(field === undefined ? [] : [`field=${field}`]),
      ];
      const tail = facts.length === 0 ? "" : ` (${facts.join(", ")})`;
      return layOut([{ text: `${message}${tail}` }], layout, [
        { text: `    - ${severity}: `, style: severity === "error" ? "bad" : "caution" },
      ]);
    }),
  ];
}

/** A signature of a stand-in is none of a model, and nobody should have to look into files to see it. */
function standInLines(assets: readonly AssetStatus[], layout: Layout): readonly string[] {
  const some = assets.filter((asset) => asset.standIn);
  if (some.length === 0) return [];
  const which = some.length === assets.length ? "all" : some.map((one) => one.assetId).join(", ");
  const text = `Signed by rule-based stand-ins, not by models: ${which}.`;
  return layOut([{ text, style: "caution" }], layout, [{ text: "  " }]);
}

function chooser(madeBy: "person" | "loop" | "unknown"): string {
  if (madeBy === "person") return "a person";
  return madeBy === "loop" ? "the loop" : "somebody";
}

function nextLines(status: EpisodeStatus, named: string, layout: Layout): readonly string[] {
  if (status.nextSteps.length === 0) {
    return layOut([{ text: "  Everything is signed and selected.", style: "good" }], layout);
  }
  return status.nextSteps.flatMap(({ command, why }) =>
    layOut(
      [
        {
          text: `signoff ${command}${command.startsWith("episode ") ? named : ""}`,
          style: "accent",
        },
        { text: `\n${why}`, style: "muted" },
      ],
      layout,
      [{ text: "  " }],
    ),
  );
}
