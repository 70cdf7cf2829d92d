import { visibleLine } from "../../domain/values/visible.ts";
import { unreviewable, type WorkPlan } from "../../orchestration/gates/plan-work.ts";
import type { ReviewReport } from "../../orchestration/gates/review-notes.ts";
import { renderCost, renderCount, renderTokens } from "../shell/amounts.ts";
import type { Line } from "../shell/lay-out.ts";
import { accent, bad, caution, good, muted } from "../shell/styles.ts";

const mostCalls = 30;

/** The calls that would be made, and what they may cost. */
export function planLines(
  plan: WorkPlan,
  how: {
    readonly models: readonly string[];
    readonly acknowledged: number;
    readonly microUsd: { readonly high: number } | undefined;
    readonly series?: number;
  },
): readonly Line[] {
  const { models, acknowledged, microUsd, series } = how;
  const { cost, rulePairs, leftAlone } = plan;
  const more = plan.calls.length - mostCalls;
  const money = microUsd === undefined ? "cost unknown" : renderCost(microUsd.high, models);
  return [
    ...plan.calls.slice(0, mostCalls).map(callLine),
    more > 0 && muted(`  … and ${renderCount(more, "call")} more`),
    cost.calls === 0
      ? "No pair needs a call."
      : `${renderCount(cost.pairs, "pair")} in ${renderCount(cost.calls, "call")}: ${cost.inputTokens.low}–${cost.inputTokens.high} tokens in, ${cost.outputTokens.low}–${cost.outputTokens.high} out, ${money}.`,
    series !== undefined &&
      `Each pair is asked until it has ${series} answers, earlier ones included; it counts once per missing answer.`,
    rulePairs.length > 0 && `${renderCount(rulePairs.length, "pair")} by rules, without a model.`,
    acknowledged > 0 && `${renderCount(acknowledged, "trivial change")} to acknowledge first.`,
    leftAlone.length > 0 &&
      `${renderCount(leftAlone.length, "pair")} left alone: undecided twice (--retry-undecided asks again).`,
    ...unreviewable(plan).map(({ path, message }) => `${visibleLine(path)}: ${message}.`),
    "Nothing was asked.",
  ];
}

function callLine({ plan: { shape, pairs, tokens } }: WorkPlan["calls"][number]): Line {
  const [first] = pairs;
  const what =
    shape === "bundle"
      ? `${visibleLine(first?.note.path ?? "")}: ${pairs.map(({ gate }) => gate.id).join(", ")}`
      : `${first?.gate.id}: ${pairs.map(({ note }) => visibleLine(note.path)).join(", ")}`;
  const size = muted(` (${tokens.low}–${tokens.high} tokens)`);
  return { lead: [accent(`  ${shape.padEnd(7)}`)], spans: [what, size] };
}

/** Plan against actual, what is left, and what to do next. */
export function notesReviewLines(
  report: ReviewReport,
  { models, standIn }: { readonly models: readonly string[]; readonly standIn: boolean },
): readonly Line[] {
  const { plan, sweep, after, lock, ruleReviews, finishedBefore, abandoned } = report;
  const acknowledged = report.acknowledged.length;
  const { inputTokens, outputTokens } = plan.cost;
  const planned = `${renderCount(plan.cost.calls, "call")}, up to ${(inputTokens.high + outputTokens.high).toLocaleString("en-US")} tokens`;
  const actual = `${renderCount(sweep.completed + sweep.failed, "run")}, ${renderTokens(sweep.tokens)}, ${renderCost(sweep.microUsd, models)}`;
  const stopped = sweep.stop?.message.replace(/\.$/, "");
  return [
    acknowledged > 0 && `${renderCount(acknowledged, "trivial change")} acknowledged.`,
    finishedBefore > 0 &&
      `${renderCount(finishedBefore, "run")} of another command finished from the record.`,
    abandoned > 0 && `${renderCount(abandoned, "abandoned run")} closed as failed.`,
    ruleReviews > 0 && `${renderCount(ruleReviews, "pair")} judged by rules.`,
    `Planned ${planned}; took ${actual}.`,
    ...sweep.unreadable.map(({ number, reason }) =>
      bad(`Run ${number} failed: ${reason}. Ask again with \`signoff notes retry ${number}\`.`),
    ),
    ...[...sweep.otherModels].map(([model, times]) =>
      caution(
        `Warning: ${model} answered ${renderCount(times, "run")} instead of the model asked for; filed under its own name.`,
      ),
    ),
    stopped !== undefined &&
      bad(`Stopped: ${stopped}. Finished reviews are kept; the same command continues.`),
    ...unreviewable(plan).map(({ path, message }) => caution(`${visibleLine(path)}: ${message}.`)),
    report.votes !== undefined && `${renderCount(report.votes, "pair")} decided by a vote.`,
    leftLine(after),
    lock.changed && muted(`${lock.path} has ${renderCount(lock.lines, "line")}; commit it.`),
    standIn && muted("Signed by rule-based stand-ins (offline/rules), not by a model."),
  ];
}

function leftLine({ stale, undecided, failing }: ReviewReport["after"]): Line {
  if (stale + failing === 0) return good("Everything asked about is fresh, and nothing fails.");
  const parts = [
    ...(stale > 0 ? [`${renderCount(stale, "pair")} still stale`] : []),
    ...(undecided > 0 ? [`${undecided} of them undecided`] : []),
    ...(failing > 0 ? [`${renderCount(failing, "pair")} failing (signoff notes warns)`] : []),
  ];
  return caution(`${parts.join(", ")}.`);
}
