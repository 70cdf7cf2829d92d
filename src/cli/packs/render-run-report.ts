import type { RunReport } from "../../contract/http/pack-report.ts";
import { describeAnalyst } from "../../domain/scenarios/analyst-facts.ts";
import { describeAssistant } from "../../domain/scenarios/assistant-identity.ts";
import type { ProblemSeverity } from "../../domain/scenarios/manifest.ts";
import { describeRepeats } from "../../domain/scenarios/repeats.ts";
import { RUN_OUTCOMES, runOutcome } from "../../domain/scenarios/run-outcome.ts";
import type { StepRecord } from "../../domain/scenarios/run-record.ts";
import { describeUser } from "../../domain/scenarios/simulated-user.ts";
import type { Status } from "../../domain/scenarios/step-status.ts";
import { counted } from "../../domain/values/counted.ts";
import { shellWord } from "../../domain/values/shell-word.ts";
import { withCommands } from "../shell/copyable-command.ts";
import type { Line } from "../shell/lay-out.ts";
import type { Style } from "../shell/palette.ts";
import { clipped } from "../shell/row.ts";
import type { ShowPath } from "../shell/show-path.ts";
import { caution, heading, muted, strong } from "../shell/styles.ts";
import { bulletLines } from "./render-saved-pack.ts";

const statusStyle: { readonly [status in Status]: Style } = {
  accepted: "good",
  partial: "caution",
  needs_exact_capability: "caution",
  blocked: "bad",
};

const severityStyle: { readonly [severity in ProblemSeverity]: Style } = {
  P0: "bad",
  P1: "caution",
  P2: "muted",
};

const mostTargets = 8;

/** One judged step, printed as soon as it is known. */
export function stepLine(scenarioId: string, step: StepRecord): Line {
  const [worst] = step.findings;
  return [
    { text: statusWord(step.status), style: statusStyle[step.status] },
    `  ${scenarioId}/${step.stepId}`,
    step.flaky === true && caution("  flaky"),
    step.repeats !== undefined && muted(`  ${describeRepeats(step.repeats)}`),
    worst && {
      text: `  ${worst.severity} ${worst.invariant}`,
      style: severityStyle[worst.severity],
    },
  ];
}

/** The result of a run: the status, why, what to repair, where the proof is. */
export function runReportLines(report: RunReport, shown: ShowPath): readonly Line[] {
  const steps = report.scenarios.flatMap((scenario) => scenario.steps);
  const accepted = steps.filter(({ status }) => status === "accepted").length;
  const { assistant, userModel, analyst, nextAction, selection } = report;
  const outcome = RUN_OUTCOMES[runOutcome(report)];
  return [
    [
      heading(`${report.title}: `),
      { text: outcome.words, style: headStyles[outcome.tone] },
      muted(`  ${accepted} of ${counted(steps.length, "step")} accepted`),
    ],
    selection &&
      muted(
        `Asked ${selection.questions} of ${selection.ofQuestions} questions; this proves nothing about the others.`,
      ),
    ...bulletLines(report.reasons),
    ...repeatLines(steps),
    ...targetLines(report),
    assistant && muted(`Asked: ${describeAssistant(assistant)}.`),
    stoodAlone(report) && muted("The assistant named no session: each question stood alone."),
    userModel !== undefined && muted(`Users played by ${describeUser(userModel)}.`),
    analyst && muted(`Judged by ${describeAnalyst(analyst)}.`),
    nextAction !== undefined && ["Next: ", strong(nextAction)],
    nextAction !== undefined &&
      (nextSteps[nextAction]?.((name) => shown(`${report.folder}${name}`)) ?? false),
    muted(`Files: ${shown(report.folder)}`),
  ];
}

/** What a person does after a loop. */
const nextSteps: { readonly [action: string]: (inFolder: ShowPath) => Line } = {
  save_or_confirm: (inFolder) =>
    withCommands(
      `Keep the pack with \`pack save --validated-run-dir ${shellWord(inFolder(""))}\`.`,
    ),
  lead_coder_repair_required: (inFolder) =>
    `Repair what ${inFolder("/lead_coder_handoff.md")} names; the command at its end replays the pack.`,
  inspect_repair_result: (inFolder) =>
    `Look at what the coder left in ${inFolder("/iterations")}, then run the command again.`,
  continue_autonomous_or_fix_blocker: () => "Remove what blocks it, then run the command again.",
};

/** Steps that did not pass every time, with how sure that is. */
function repeatLines(steps: readonly StepRecord[]): readonly Line[] {
  return steps.flatMap(({ stepId, repeats }) =>
    repeats === undefined || repeats.passed === repeats.of
      ? []
      : [caution(`${stepId} ${describeRepeats(repeats)}`)],
  );
}

/** Several questions of a scenario were answered, and no session held them together. */
function stoodAlone({ scenarios }: RunReport): boolean {
  return scenarios.some(
    ({ sessionId, steps }) =>
      sessionId === undefined &&
      steps.filter(({ execution }) => execution === "answered").length > 1,
  );
}

function statusWord(status: Status): string {
  return (status === "needs_exact_capability" ? "no route" : status).padEnd(9);
}

const headStyles = { good: "good", wait: "caution", bad: "bad" } as const;

const restIn = {
  pack: "pack_summary.md",
  "pack-loop": "pack_summary.md of its latest iteration",
  scenario: "final_status.md",
} as const;

function targetLines({ kind, repairTargets }: RunReport): readonly Line[] {
  if (repairTargets.length === 0) return [];
  const rest = repairTargets.length - mostTargets;
  return [
    "",
    ...repairTargets
      .slice(0, mostTargets)
      .flatMap((target): readonly Line[] => [
        [
          { text: target.severity, style: severityStyle[target.severity] },
          strong(` ${target.problemType}`),
          muted(`  ${places(target.occurrences)}`),
        ],
        { lead: ["   asked     "], spans: [clipped(target.question, 200)] },
        { lead: ["   seen      "], spans: [clipped(target.evidence, 300)] },
        { lead: ["   expected  "], spans: [clipped(target.expectation, 200)] },
      ]),
    rest > 0 && muted(`and ${rest} more in ${restIn[kind]}`),
    "",
  ];
}

function places(
  occurrences: readonly { readonly scenarioId: string; readonly stepId: string }[],
): string {
  const shown = occurrences.slice(0, 3).map(({ scenarioId, stepId }) => `${scenarioId}/${stepId}`);
  const rest = occurrences.length - shown.length;
  return rest > 0 ? `${shown.join(", ")} and ${rest} more` : shown.join(", ");
}
