import { writeStageArtifact } from "../../contract/stages/stage-artifacts.ts";
import { planRepair, type RepairPlan } from "../../domain/scenarios/repair-plan.ts";
import { openFindings } from "../../domain/stages/open-findings.ts";
import { stageCommand } from "../../domain/stages/step-guidance.ts";
import type { RecordFile } from "../../ports/record-files.ts";
import { renderCoderPrompt } from "../../protocol/scenarios/repair-prompt.ts";
import { bullets, markdownPage, oneLine } from "../scenarios/markdown.ts";
import { type Recording, recordDecision } from "./record-stage.ts";
import {
  refuseClosed,
  refuseWhileCoding,
  replayCommand,
  type Stage,
  type StageParts,
  type StageState,
} from "./stage.ts";
import { decisionLines } from "./stage-files.ts";

export type Prepared =
  | { readonly kind: "prepared"; readonly plan: RepairPlan; readonly state: StageState }
  | { readonly kind: "nothing-to-repair"; readonly state: StageState };

/** Plans a bounded repair of everything that is open, wherever it was found, under a new iteration id. */
export async function prepareRepair(
  parts: StageParts,
  stage: Stage,
  recording: Recording = {},
): Promise<Prepared> {
  const { state, result: plan } = await recordDecision(parts, stage, recording, (before) =>
    planNextRepair(stage, before),
  );
  return plan === undefined
    ? { kind: "nothing-to-repair", state }
    : { kind: "prepared", plan, state };
}

export function saidOfPrepared(prepared: Prepared): string {
  if (prepared.kind === "nothing-to-repair") return "Nothing to repair: no P0 or P1 is open.";
  const { iterationId, targets } = prepared.plan;
  return `Prepared ${iterationId}: ${targets.length} ${targets.length === 1 ? "target" : "targets"}.`;
}

/** The plan and the change that records it; no plan where there is nothing to repair. */
function planNextRepair(stage: Stage, before: StageState) {
  refuseWhileCoding(before);
  refuseClosed(stage, before);
  const number = before.history.filter(
    (event) => event.kind === "repair-prepared" && !event.iterationId.includes("/"),
  ).length;
  const iterationId = `repair-${String(number + 1).padStart(2, "0")}`;
  const findings = openFindings(before.history);
  const plan = planRepair(
    findings.map(({ target }) => target),
    {
      iterationId,
      packHash: stage.packHash,
      hints: stage.manifest.fileHints,
      validationCommand: replayCommand(stage, before),
      decisions: decisionLines(before.history),
    },
  );
  if (plan === undefined) return { change: {}, result: undefined };
  const { packHash, validationQuestions: questions } = plan;
  const about = { packHash, questions, findings: findings.map(({ findingId }) => findingId) };
  const event = { kind: "repair-prepared", iterationId, ...about } as const;
  return { result: plan, change: { entries: [{ event }], files: planFiles(stage, plan) } };
}

function planFiles(stage: Stage, plan: RepairPlan): readonly RecordFile[] {
  const place = `repair_iterations/${plan.iterationId}`;
  return [
    {
      name: `${place}/repair_iteration_plan.json`,
      content: writeStageArtifact("repair_iteration_plan.json", plan),
    },
    {
      name: `${place}/repair_prompt.md`,
      content: renderCoderPrompt(
        plan,
        stage.manifest.moduleName,
        `${stage.folder}/${place}/repair_iteration_plan.json`,
      ),
    },
    { name: `${place}/repair_checklist.md`, content: renderChecklist(stage, plan) },
  ];
}

function renderChecklist(stage: Stage, plan: RepairPlan): string {
  const ingest = stageCommand("ingest-run", { manifest: stage.manifestPath });
  return markdownPage(
    `# Checklist of ${plan.iterationId}`,
    bullets(
      plan.targets.map(
        ({ severity, problemType, question }) => `[ ] ${severity} ${problemType}: ${question}`,
      ),
    ),
    "# Where to look",
    plan.candidateFiles.length === 0
      ? "No candidate files are known."
      : bullets(plan.candidateFiles),
    "# Afterwards",
    bullets([
      "[ ] the change is the smallest that reaches every goal",
      "[ ] questions, expectations and checks are untouched",
      `[ ] replay the pack: ${oneLine(plan.validationCommand)}`,
      `[ ] or hold a conversation that asks every question above, and ingest it: ${ingest}`,
    ]),
  );
}
