import { writeStageArtifact } from "../../contract/stages/write-stage-artifact.ts";
import { planRepair, type RepairPlan } from "../../domain/scenarios/repair-plan.ts";
import type { RepairTarget } from "../../domain/scenarios/repair-targets.ts";
import { stageCommand } from "../../domain/stages/step-guidance.ts";
import type { RecordFile } from "../../ports/record-files.ts";
import { renderCoderPrompt } from "../../protocol/scenarios/repair-prompt.ts";
import { findArtifact } from "../scenarios/artifact-files.ts";
import { bullets, markdownPage, oneLine } from "../scenarios/markdown.ts";
import { type Recording, recordStage, type StageChange } from "./record-stage.ts";
import {
  refuseWhileCoding,
  replayCommand,
  type Stage,
  type StageParts,
  type StageState,
} from "./stage.ts";

export type Prepared =
  | { readonly kind: "prepared"; readonly plan: RepairPlan; readonly state: StageState }
  | { readonly kind: "nothing-to-repair"; readonly state: StageState };

/** Plans a bounded repair of what the latest loop or ingested run found, under a new iteration id. */
export async function prepareRepair(
  parts: StageParts,
  stage: Stage,
  recording?: Recording,
): Promise<Prepared> {
  let plan: RepairPlan | undefined;
  const state = await recordStage(
    parts,
    stage,
    async (before) => {
      const planned = await planNextRepair(parts, stage, before);
      if (planned === undefined) return {};
      plan = planned.plan;
      return planned.change;
    },
    recording,
  );
  return plan === undefined
    ? { kind: "nothing-to-repair", state }
    : { kind: "prepared", plan, state };
}

/** The plan and the change that records it; nothing where there is nothing to repair. */
async function planNextRepair(
  parts: StageParts,
  stage: Stage,
  before: StageState,
): Promise<{ readonly plan: RepairPlan; readonly change: StageChange } | undefined> {
  refuseWhileCoding(before);
  const number = before.history.filter(
    (event) => event.kind === "repair-prepared" && !event.iterationId.includes("/"),
  ).length;
  const iterationId = `repair-${String(number + 1).padStart(2, "0")}`;
  const plan = planRepair(await openTargets(parts, stage, before), {
    iterationId,
    packHash: stage.packHash,
    hints: stage.manifest.fileHints,
    validationCommand: replayCommand(stage, before),
  });
  if (plan === undefined) return undefined;
  const { packHash, validationQuestions: questions } = plan;
  const event = { kind: "repair-prepared", iterationId, packHash, questions } as const;
  return { plan, change: { entries: [{ event, evidence: {} }], files: planFiles(stage, plan) } };
}

/** Targets of the latest run, live or ingested: those of older runs may have been repaired since. */
async function openTargets(
  { folders }: StageParts,
  { folder }: Stage,
  { entries }: StageState,
): Promise<readonly RepairTarget[]> {
  const latest = entries.findLast(
    ({ event }) => event.kind === "loop-finished" || event.kind === "run-ingested",
  );
  if (latest === undefined) return [];
  if (latest.event.kind === "run-ingested") {
    const name = "repair_targets.json";
    const file = Object.keys(latest.evidence).find((one) => one.endsWith(`/${name}`));
    if (file === undefined) return [];
    const place = `${folder}/${file.slice(0, -name.length - 1)}`;
    return (await findArtifact(folders, place, name))?.targets ?? [];
  }
  if (latest.event.kind !== "loop-finished") return [];
  const { loopId } = latest.event;
  const place = `${folder}/domain_loops/${loopId}`;
  const loop = `${folder}/domain_loops/${loopId.split("/")[0]}`;
  const handOff =
    (await findArtifact(folders, place, "lead_coder_handoff.json")) ??
    (await findArtifact(folders, loop, "lead_coder_handoff.json"));
  if (handOff !== undefined) return handOff.targets;
  return (await findArtifact(folders, place, "pack_state.json"))?.repairTargets ?? [];
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
      content: renderCoderPrompt(plan, stage.manifest.moduleName),
    },
    { name: `${place}/repair_checklist.md`, content: renderChecklist(stage, plan) },
  ];
}

function renderChecklist(stage: Stage, plan: RepairPlan): string {
  const ingest = stageCommand("ingest-run", { manifest: stage.manifestPath }, " --run-id RUN_ID");
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
