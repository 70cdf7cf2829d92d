import type { EpisodeReviewView, ReviewedAssetView } from "../../contract/http/episodes.ts";
import { describeVote } from "../../domain/drafting/panel.ts";
import { isAccepted, type TextState } from "../../domain/episodes/text-standing.ts";
import { defined } from "../../domain/values/defined.ts";
import type { ReviewedAsset } from "../../orchestration/episodes/review-episode.ts";
import type { Budget } from "../../ports/flow.ts";
import { raisedBudget } from "../shell/copyable-command.ts";
import { padToWidth } from "../shell/display-width.ts";
import type { Line } from "../shell/lay-out.ts";
import { hintOf } from "../shell/render-error.ts";
import { bad, caution, muted, strong } from "../shell/styles.ts";
import { standInLine, stateSpan } from "./render-episode-status.ts";
import { commandLine, type TypedHere } from "./typed-here.ts";

/** Absent where nothing was left to do. */
export interface RunOfReview {
  readonly run?: string;
  readonly budget?: Budget;
}

/** A text after `episode review`, for JSON and for people. A file that is gone is never shown as selected. */
export function reviewView(
  { status, isUnchanged, ending }: ReviewedAsset,
  run: RunOfReview,
): ReviewedAssetView {
  const { assetId, state, why, support, vote, deciders, missing, outcome, selection } = status;
  const { iteration, maxIterations = 0, reason, verdict, reviewer, outstandingIssues } = status;
  return {
    ...{ assetId, state, why, deciders, missing },
    ...{ outcome: outcome === "not_started" ? "in_progress" : outcome, iteration, maxIterations },
    ...{ outstandingIssues, isUnchanged },
    ...defined({
      support,
      vote,
      reason,
      verdict,
      reviewer,
      selected: selection?.path,
      error: errorOf(ending, run),
    }),
  };
}

/** What stops a loop from continuing; a hint where running the same command is not enough. */
function errorOf(
  ending: ReviewedAsset["ending"],
  { run, budget = {} }: RunOfReview,
): ReviewedAssetView["error"] {
  if (ending?.kind === "failed") {
    const { code, message } = ending.error;
    const hint = hintOf(ending.error);
    return { code, message, ...defined({ hint }) };
  }
  if (ending?.kind === "waiting") {
    return { code: "waiting", message: "This text needs a person.", hint: "See `signoff inbox`." };
  }
  if (ending?.kind !== "stopped" || ending.reason === "interrupted") return undefined;
  const code = ending.reason;
  return code === "budget"
    ? {
        ...{ code, message: "The budget is used up." },
        hint: `Raise it with \`signoff runs resume ${run} --budget ${raisedBudget(budget, ending.facts)}\`.`,
      }
    : {
        code,
        message: "The prompts differ from the recorded ones.",
        hint: `\`signoff runs resume ${run} --accept-changes\` keeps the recorded replies.`,
      };
}

/** The state of each text, where it is, and what to do about those that are not accepted. */
export function episodeReviewLines(view: EpisodeReviewView, typed: TypedHere): readonly Line[] {
  const isResumable = view.assets.some(
    ({ outcome, error }) => outcome === "in_progress" && error?.hint === undefined,
  );
  const open = view.assets.filter(
    ({ outcome, state }) =>
      state === "needs_human" || (outcome === "needs_human" && !isAccepted({ state })),
  );
  return [
    `Workspace: ${view.workspace}`,
    ...view.assets.flatMap((asset) => assetLines(asset, typed)),
    standInLine(view.assets),
    open.length > 0 &&
      "Pick a text, write one yourself (typed or piped in), or let the loop continue:",
    ...open.flatMap(({ assetId }) =>
      [
        `episode pick --asset-id ${assetId}`,
        `episode edit --asset-id ${assetId} --file -`,
        `episode unlock --asset-id ${assetId}`,
      ].map((command) => commandLine(typed(command))),
    ),
    isResumable && muted("Run the same command again to resume; no model is asked twice."),
  ];
}

function assetLines(asset: ReviewedAssetView, typed: TypedHere): readonly Line[] {
  const { assetId, state, outcome, reason, iteration, maxIterations, isUnchanged } = asset;
  const { selected, vote, missing, error } = asset;
  const why = reason === undefined ? "" : ` (${reason})`;
  const turn = iteration === 0 ? "" : `, turn ${iteration} of ${maxIterations}`;
  const said = isUnchanged ? `, ${leftAlone(asset)}` : "";
  const lacks = isOpenState(state) ? [] : missing;
  return [
    {
      lead: [strong(`${padToWidth(assetId, 20)} `)],
      spans: [
        `${outcome}${why}${turn}${said}\n`,
        stateSpan(state),
        vote && ` (${describeVote(vote)})`,
        selected && !isOpenState(state) && `. Selected: ${selected}`,
        ...lacks.map(({ text }) => caution(`\n${text}`)),
        error && bad(`\n${error.message}`),
        error?.hint && ` ${error.hint}`,
      ],
    },
    ...lacks.flatMap(({ command }): readonly Line[] =>
      command === undefined ? [] : [commandLine(typed(command), " ".repeat(21))],
    ),
  ];
}

function leftAlone({ state, why }: ReviewedAssetView): string {
  return state === "picked" ? `${why} and left alone` : "already decided and left alone";
}

/** The loop itself says what is missing. */
function isOpenState(state: TextState): boolean {
  return ["not_started", "drafted", "in_review", "needs_human"].includes(state);
}
