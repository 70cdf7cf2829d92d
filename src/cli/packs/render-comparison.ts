import type { RunComparison, StepChange } from "../../domain/scenarios/divergence.ts";
import { type Layout, layOut } from "../shell/lay-out.ts";
import type { Style } from "../shell/palette.ts";

export function renderComparison(comparison: RunComparison, layout: Layout): readonly string[] {
  const { divergences, better, worse, onlyBefore, onlyAfter } = comparison;
  const lines = [
    ...divergences.flatMap(({ scenarioId, firstStep, differs, consequences, independent }) => [
      ...layOut(
        [
          { text: `${scenarioId}/${firstStep}`, style: "strong" },
          { text: ` is the first to differ: ${differs.join(", ")}` },
        ],
        layout,
      ),
      ...note("  follows from it: ", consequences, layout),
      ...note("  differs on its own: ", independent, layout),
    ]),
    ...better.flatMap((change) => changeLine("better", "good", change, layout)),
    ...worse.flatMap((change) => changeLine("worse", "bad", change, layout)),
    ...note("only in the first: ", onlyBefore, layout),
    ...note("only in the second: ", onlyAfter, layout),
  ];
  return lines.length > 0 ? lines : layOut([{ text: "The two runs are the same." }], layout);
}

function changeLine(
  word: string,
  style: Style,
  { scenarioId, stepId, before, after }: StepChange,
  layout: Layout,
): readonly string[] {
  return layOut([{ text: `${scenarioId}/${stepId}: ${before} → ${after}` }], layout, [
    { text: word.padEnd(7), style },
  ]);
}

function note(label: string, names: readonly string[], layout: Layout): readonly string[] {
  return names.length === 0 ? [] : layOut([{ text: `${label}${names.join(", ")}` }], layout);
}
