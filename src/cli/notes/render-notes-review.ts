import { unreviewable, type WorkPlan } from "../../orchestration/gates/plan-work.ts";
import type { ReviewReport } from "../../orchestration/gates/review-notes.ts";
import type { TargetPair } from "../../orchestration/gates/select-pairs.ts";
import { renderCost, renderCount } from "../shell/amounts.ts";
import { type Layout, layOut, type Span } from "../shell/lay-out.ts";

const mostCalls = 30;

/** The calls that would be made, and what they may cost. */
export function renderPlan(
  plan: WorkPlan,
  how: {
    readonly layout: Layout;
    readonly models: readonly string[];
    readonly acknowledged: readonly TargetPair[];
    readonly microUsd: { readonly high: number } | undefined;
  },
): readonly string[] {
  const { layout, models, acknowledged, microUsd } = how;
  const calls = plan.calls.slice(0, mostCalls).flatMap(({ plan: { shape, pairs, tokens } }) => {
    const first = pairs[0];
    const what =
      shape === "bundle"
        ? `${first?.note.path}: ${pairs.map(({ gate }) => gate.id).join(", ")}`
        : `${first?.gate.id}: ${pairs.map(({ note }) => note.path).join(", ")}`;
    const size: Span = { text: ` (${tokens.low}–${tokens.high} tokens)`, style: "muted" };
    return layOut([{ text: what }, size], layout, [
      { text: `  ${shape.padEnd(7)}`, style: "accent" },
    ]);
  });
  const more = plan.calls.length - mostCalls;
  const { cost } = plan;
  const money = microUsd === undefined ? "cost unknown" : renderCost(microUsd.high, models);
  const sums = [
    `${renderCount(cost.pairs, "pair")} in ${renderCount(cost.calls, "call")}: ${cost.inputTokens.low}–${cost.inputTokens.high} tokens in, ${cost.outputTokens.low}–${cost.outputTokens.high} out, ${money}.`,
    ...(plan.rulePairs.length > 0
      ? [`${renderCount(plan.rulePairs.length, "pair")} by rules, without a model.`]
      : []),
    ...(acknowledged.length > 0
      ? [`${renderCount(acknowledged.length, "trivial change")} to acknowledge first.`]
      : []),
    ...(plan.leftAlone.length > 0
      ? [
          `${renderCount(plan.leftAlone.length, "pair")} left alone: undecided twice (--retry-undecided asks again).`,
        ]
      : []),
    ...unreviewable(plan).map(({ path, message }) => `${path}: ${message}.`),
    "Nothing was asked.",
  ];
  return [
    ...calls,
    ...(more > 0
      ? layOut([{ text: `  … and ${renderCount(more, "call")} more`, style: "muted" }], layout)
      : []),
    ...sums.flatMap((text) => layOut([{ text }], layout)),
  ];
}

/** Plan against actual, what is left, and what to do next. */
export function renderNotesReview(
  report: ReviewReport,
  how: { readonly layout: Layout; readonly models: readonly string[]; readonly standIn: boolean },
): readonly string[] {
  const { layout, models, standIn } = how;
  const { plan, sweep, after, lock, ruleReviews, acknowledged } = report;
  const say = (text: string, style?: Span["style"]) =>
    layOut([style === undefined ? { text } : { text, style }], layout);
  const planned = `${renderCount(plan.cost.calls, "call")}, up to ${(plan.cost.inputTokens.high + plan.cost.outputTokens.high).toLocaleString("en-US")} tokens`;
  const actual = `${renderCount(sweep.completed + sweep.failed, "run")}, ${sweep.tokens.toLocaleString("en-US")} tokens, ${renderCost(sweep.microUsd, models)}`;
  return [
    ...(acknowledged.length > 0
      ? say(`${renderCount(acknowledged.length, "trivial change")} acknowledged.`)
      : []),
    ...(report.finishedBefore > 0
      ? say(
          `${renderCount(report.finishedBefore, "run")} of an earlier command finished from the record.`,
        )
      : []),
    ...(report.abandoned > 0
      ? say(`${renderCount(report.abandoned, "abandoned run")} closed as failed.`)
      : []),
    ...(ruleReviews > 0 ? say(`${renderCount(ruleReviews, "pair")} judged by rules.`) : []),
    ...say(`Planned ${planned}; took ${actual}.`),
    ...sweep.unreadable.flatMap(({ number, reason }) =>
      say(
        `Run ${number} failed: ${reason}. Ask again with \`signoff notes retry ${number}\`.`,
        "bad",
      ),
    ),
    ...[...sweep.otherModels].flatMap(([model, times]) =>
      say(
        `Warning: ${model} answered ${renderCount(times, "run")} instead of the model asked for; filed under its own name.`,
        "caution",
      ),
    ),
    ...(sweep.stop === undefined
      ? []
      : say(
          `Stopped: ${sweep.stop.message.replace(/\.$/, "")}. What is done stays done; the same command goes on.`,
          "bad",
        )),
    ...unreviewable(plan).flatMap(({ path, message }) => say(`${path}: ${message}.`, "caution")),
    ...standing(after, layout),
    ...(lock.changed
      ? say(`${lock.path} has ${renderCount(lock.lines, "line")}; commit it.`, "muted")
      : []),
    ...(standIn
      ? say("Signed by rule-based stand-ins (offline/rules), not by a model.", "muted")
      : []),
  ];
}

function standing(after: ReviewReport["after"], layout: Layout): readonly string[] {
  const { stale, undecided, failing } = after;
  if (stale + failing === 0)
    return layOut(
      [{ text: "Everything asked about is fresh, and nothing fails.", style: "good" }],
      layout,
    );
  const parts = [
    ...(stale > 0 ? [`${renderCount(stale, "pair")} still stale`] : []),
    ...(undecided > 0 ? [`${undecided} of them undecided`] : []),
    ...(failing > 0 ? [`${renderCount(failing, "pair")} failing (signoff notes warns)`] : []),
  ];
  return layOut([{ text: `${parts.join(", ")}.`, style: "caution" }], layout);
}
