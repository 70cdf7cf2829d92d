import type { EpisodeReviewView, ReviewedAssetView } from "../../contract/http/episodes.ts";
import { extensionOf, layout as paths } from "../../domain/episodes/layout.ts";
import { defined } from "../../domain/values/defined.ts";
import type { ReviewedAsset } from "../../orchestration/episodes/review-episode.ts";
import { padToWidth } from "../shell/display-width.ts";
import type { Line } from "../shell/lay-out.ts";
import type { Style } from "../shell/palette.ts";
import { hintOf } from "../shell/render-error.ts";
import { bad, caution, muted, strong } from "../shell/styles.ts";

/** The result of an asset's loop, for JSON and for people. */
export function reviewView(one: ReviewedAsset): ReviewedAssetView {
  const { assetId, decision, ending, protocol } = one;
  const last = protocol?.iterations.at(-1);
  const isChosen = decision?.outcome === "converged" && last !== undefined;
  return {
    assetId,
    outcome: decision?.outcome ?? "in_progress",
    iteration: one.iterations,
    maxIterations: one.maxIterations,
    ...(isChosen ? { selected: paths.selected(assetId, extensionOf(last.candidate.format)) } : {}),
    isUnchanged: one.isUnchanged,
    ...defined({ reason: decision?.reason, verdict: last?.review.verdict, error: errorOf(ending) }),
  };
}

/** What stops a loop from continuing; a hint where running the same command is not enough. */
function errorOf(ending: ReviewedAsset["ending"]): ReviewedAssetView["error"] {
  if (ending?.kind === "failed") {
    const { code, message } = ending.error;
    const hint = hintOf(ending.error);
    return { code, message, ...defined({ hint }) };
  }
  if (ending?.kind === "waiting") {
    return { code: "waiting", message: "This text needs a person.", hint: "See signoff inbox." };
  }
  if (ending?.kind !== "stopped" || ending.reason === "interrupted") return undefined;
  const code = ending.reason;
  return code === "budget"
    ? { code, message: "The budget is used up.", hint: "Raise it with runs resume --budget." }
    : {
        code,
        message: "The prompts differ from the recorded ones.",
        hint: "runs resume --accept-changes keeps the recorded replies.",
      };
}

const styles: { readonly [outcome in ReviewedAssetView["outcome"]]: Style } = {
  converged: "good",
  needs_human: "bad",
  in_progress: "caution",
};

/** The outcome of each loop, where its text is, and what to do about those that did not converge. */
export function episodeReviewLines(view: EpisodeReviewView): readonly Line[] {
  const open = view.assets.filter(({ outcome }) => outcome === "needs_human");
  const isResumable = view.assets.some(
    ({ outcome, error }) => outcome === "in_progress" && error?.hint === undefined,
  );
  return [
    `Workspace: ${view.workspace}`,
    ...view.assets.map(assetLine),
    view.standIn && caution("Signed by rule-based stand-ins, not by models."),
    ...open.map(({ assetId }) =>
      muted(
        `Next: signoff episode pick --asset-id ${assetId}, or signoff episode unlock --asset-id ${assetId} --reason "…"`,
      ),
    ),
    isResumable && muted("Run the same command again to resume; no model is asked twice."),
  ];
}

function assetLine(asset: ReviewedAssetView): Line {
  const { assetId, outcome, reason, iteration, maxIterations, isUnchanged, selected } = asset;
  const { error } = asset;
  const why = reason === undefined ? "" : ` (${reason})`;
  const said = isUnchanged ? ", already decided and left alone" : "";
  return {
    lead: [strong(`${padToWidth(assetId, 20)} `)],
    spans: [
      { text: outcome, style: styles[outcome] },
      `${why}, iteration ${iteration}/${maxIterations}${said}`,
      selected && `\nSelected: ${selected}`,
      error && bad(`\n${error.message}`),
      error?.hint && ` ${error.hint}`,
    ],
  };
}
