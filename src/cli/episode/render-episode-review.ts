import type { EpisodeReviewView, ReviewedAssetView } from "../../contract/http/episodes.ts";
import { extensionOf, layout as paths } from "../../domain/episodes/layout.ts";
import { defined } from "../../domain/values/defined.ts";
import type { ReviewedAsset } from "../../orchestration/episodes/review-episode.ts";
import { padToWidth } from "../shell/display-width.ts";
import { type Layout, layOut, type Span } from "../shell/lay-out.ts";
import type { Style } from "../shell/palette.ts";
import { hintOf } from "../shell/render-error.ts";

/** An asset's loop as it is printed, as JSON or for people. */
export function reviewView(one: ReviewedAsset): ReviewedAssetView {
  const { assetId, decision, ending, protocol } = one;
  const last = protocol?.iterations.at(-1);
  const isChosen = decision?.outcome === "converged" && last !== undefined;
  const error = errorOf(ending);
  return {
    assetId,
    outcome: decision?.outcome ?? "in_progress",
    ...(decision?.reason === undefined ? {} : { reason: decision.reason }),
    iteration: one.iterations,
    maxIterations: one.maxIterations,
    ...(last === undefined ? {} : { verdict: last.review.verdict }),
    ...(isChosen ? { selected: paths.selected(assetId, extensionOf(last.candidate.format)) } : {}),
    isUnchanged: one.isUnchanged,
    ...defined({ error }),
  };
}

/** What keeps a loop from going on; a hint where typing the same command is not enough. */
function errorOf(ending: ReviewedAsset["ending"]): ReviewedAssetView["error"] {
  if (ending?.kind === "failed") {
    const { code, message } = ending.error;
    const hint = hintOf(ending.error);
    return { code, message, ...defined({ hint }) };
  }
  if (ending?.kind === "waiting") {
    return { code: "waiting", message: "A person is called for.", hint: "See signoff inbox." };
  }
  if (ending?.kind !== "stopped" || ending.reason === "interrupted") return undefined;
  const code = ending.reason;
  return code === "budget"
    ? { code, message: "The budget is used up.", hint: "runs resume with --budget gives it more." }
    : {
        code,
        message: "What would be asked now differs from what was recorded.",
        hint: "runs resume with --accept-changes keeps what was recorded.",
      };
}

const styles: { readonly [outcome in ReviewedAssetView["outcome"]]: Style } = {
  converged: "good",
  needs_human: "bad",
  in_progress: "caution",
};

/** How each loop stands, where its text is, and what to do about those that did not converge. */
export function renderEpisodeReview(view: EpisodeReviewView, layout: Layout): readonly string[] {
  const open = view.assets.filter(({ outcome }) => outcome === "needs_human");
  const halfway = view.assets.some(
    ({ outcome, error }) => outcome === "in_progress" && error?.hint === undefined,
  );
  return [
    ...layOut([{ text: `Workspace: ${view.workspace}` }], layout),
    ...view.assets.flatMap((asset) => assetLines(asset, layout)),
    ...(view.standIn
      ? layOut(
          [{ text: "Signed by rule-based stand-ins, not by models.", style: "caution" }],
          layout,
        )
      : []),
    ...open.flatMap(({ assetId }) =>
      layOut(
        [
          {
            text: `Next: signoff episode pick --asset-id ${assetId}, or signoff episode unlock --asset-id ${assetId} --reason "…"`,
            style: "muted",
          },
        ],
        layout,
      ),
    ),
    ...(halfway
      ? layOut(
          [
            {
              text: "Type the same command again to go on; nothing is asked twice.",
              style: "muted",
            },
          ],
          layout,
        )
      : []),
  ];
}

function assetLines(asset: ReviewedAssetView, layout: Layout): readonly string[] {
  const { assetId, outcome, reason, iteration, maxIterations, isUnchanged, selected } = asset;
  const why = reason === undefined ? "" : ` (${reason})`;
  const said = isUnchanged ? ", decided before and left alone" : "";
  const where: readonly Span[] =
    selected === undefined ? [] : [{ text: `\nSelected: ${selected}` }];
  const failed: readonly Span[] =
    asset.error === undefined
      ? []
      : [
          { text: `\n${asset.error.message}`, style: "bad" },
          ...(asset.error.hint === undefined ? [] : [{ text: ` ${asset.error.hint}` }]),
        ];
  return layOut(
    [
      { text: outcome, style: styles[outcome] },
      { text: `${why}, iteration ${iteration}/${maxIterations}${said}` },
      ...where,
      ...failed,
    ],
    layout,
    [{ text: `${padToWidth(assetId, 20)} `, style: "strong" }],
  );
}
