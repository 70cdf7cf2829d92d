import { excerpt } from "../../domain/scenarios/folded-text.ts";
import { groupByCause, type RepairCause } from "../../domain/scenarios/repair-causes.ts";
import type { RepairTarget } from "../../domain/scenarios/repair-targets.ts";
import { linesOf } from "../../domain/values/lines.ts";

/** How much of a backlog one page shows; a person reads it to the end. */
const most = { causes: 8, places: 5, answer: 400 } as const;

/**
 * What is wrong, by cause and in the order of the conversations: the turns that lead to it, what was expected and what
 * was answered, what follows from it. `allIn` names the file with every target.
 */
export function renderRepairBrief(targets: readonly RepairTarget[], allIn: string): string {
  const causes = groupByCause(targets);
  const rest = causes.length - most.causes;
  return [
    countLine(causes, targets.length, allIn),
    ...causes.slice(0, most.causes).map(renderCause),
    ...(rest > 0 ? [`${rest} further causes are in ${allIn}.`] : []),
  ].join("\n\n");
}

function countLine(causes: readonly RepairCause[], targets: number, allIn: string): string {
  const counted = (count: number, word: string) => `${count} ${word}${count === 1 ? "" : "s"}`;
  return `${counted(targets, "target")} of ${counted(causes.length, "cause")}; ${allIn} has them all.`;
}

function renderCause({ problemType, severity, first, consequences }: RepairCause, at: number) {
  const [shown, ...others] = first;
  if (shown === undefined) return "";
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  return [
    `## ${at + 1}. ${severity} ${inLine(problemType)}: ${placeOf(shown)}${more}`,
    ...turnsBefore(shown),
    `Question:\n${quote(shown.question)}`,
    `Visible answer:\n${quote(excerpt(shown.visibleAnswer, most.answer))}`,
    [
      `Expected: ${inLine(shown.expectation)}`,
      `Seen: ${inLine(excerpt(shown.evidence, most.answer))}`,
      `Goal: ${inLine(shown.fixGoal)}`,
      `Candidate files: ${inLine(shown.candidateFiles.join(", ")) || "none known"}`,
    ].join("\n"),
    ...listed("The same in", others),
    ...listed("Follows from it", consequences),
  ].join("\n\n");
}

function turnsBefore({ before = [] }: RepairTarget): readonly string[] {
  if (before.length === 0) return [];
  const turns = before.map(
    ({ question, answer }) => `${quote(`user: ${question}`)}\n${quote(`assistant: ${answer}`)}`,
  );
  return [`To reproduce, ask first in the same conversation:\n${turns.join("\n")}`];
}

function listed(title: string, targets: readonly RepairTarget[]): readonly string[] {
  if (targets.length === 0) return [];
  const shown = targets.slice(0, most.places).map((target) => {
    const { severity, problemType, expectation, evidence } = target;
    const said = `expected ${inLine(excerpt(expectation, 120))}; seen: ${inLine(excerpt(evidence, 120))}`;
    return `- ${placeOf(target)}, ${severity} ${inLine(problemType)}: ${said}`;
  });
  const rest = targets.length - shown.length;
  return [[`${title}:`, ...shown, ...(rest > 0 ? [`- and ${rest} more`] : [])].join("\n")];
}

function placeOf({ occurrences }: RepairTarget): string {
  const [first] = occurrences;
  return first === undefined ? "named by the analyst" : `${first.scenarioId}/${first.stepId}`;
}

/** Words of an analyst, or a value of an answer inside an expectation: they stay on their line. */
export function inLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function quote(text: string): string {
  return linesOf(text)
    .map((line) => `> ${line}`)
    .join("\n");
}
