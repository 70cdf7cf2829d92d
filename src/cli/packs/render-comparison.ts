import type { RunComparison, StepChange } from "../../domain/scenarios/divergence.ts";
import type { Line } from "../shell/lay-out.ts";
import type { Style } from "../shell/palette.ts";
import { caution, strong } from "../shell/styles.ts";

export function comparisonLines(comparison: RunComparison): readonly Line[] {
  const { divergences, better, worse, onlyBefore, onlyAfter, assistantChanged } = comparison;
  const lines = [
    ...divergences.flatMap(({ scenarioId, firstStep, differs, consequences, independent }) => [
      [strong(`${scenarioId}/${firstStep}`), ` is the first to differ: ${differs.join(", ")}`],
      ...note("  follows from it: ", consequences),
      ...note("  differs on its own: ", independent),
    ]),
    ...better.map((change) => changeLine("better", "good", change)),
    ...worse.map((change) => changeLine("worse", "bad", change)),
    ...note("only in the first: ", onlyBefore),
    ...note("only in the second: ", onlyAfter),
  ];
  const { from, reason } = assistantChanged ?? {};
  const other =
    from === undefined ? [] : [caution(`Another assistant than ${from}. Reason given: ${reason}`)];
  return [...other, ...(lines.length > 0 ? lines : ["The two runs are the same."])];
}

function changeLine(word: string, style: Style, change: StepChange): Line {
  const { scenarioId, stepId, before, after } = change;
  const lead = [{ text: word.padEnd(7), style }];
  return { lead, spans: [`${scenarioId}/${stepId}: ${before} → ${after}`] };
}

function note(label: string, names: readonly string[]): readonly Line[] {
  return names.length === 0 ? [] : [`${label}${names.join(", ")}`];
}
