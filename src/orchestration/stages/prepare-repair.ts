import { readArtifact } from "../../contract/scenarios/write-artifact.ts";
import { writeStageArtifact } from "../../contract/stages/write-stage-artifact.ts";
import { planRepair, type RepairPlan } from "../../domain/scenarios/repair-plan.ts";
import type { RepairTarget } from "../../domain/scenarios/repair-targets.ts";
import type { StageEntry } from "../../domain/stages/stage-history.ts";
import { stageCommand } from "../../domain/stages/step-guidance.ts";
import { defined } from "../../domain/values/defined.ts";
import type { RecordFile } from "../../ports/record-files.ts";
import { renderCoderPrompt } from "../../protocol/scenarios/repair-prompt.ts";
import { bullets, markdownPage, oneLine } from "../scenarios/markdown.ts";
import { type Recording, recordStage, type StageChange } from "./record-stage.ts";
import { refuseWhileCoding, type Stage, type StageParts, type StageState } from "./stage.ts";

export type Prepared =
  | { readonly kind: "prepared"; readonly plan: RepairPlan; readonly state: StageState }
  | { readonly kind: "nothing-to-repair"; readonly state: StageState };

/** Makes a bounded repair of what the latest loop or ingested run found, under an iteration id of its own. */
export async function prepareRepair(
  parts: StageParts,
  stage: Stage,
  recording: Recording = {},
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
export async function planNextRepair(
  parts: StageParts,
  stage: Stage,
  before: StageState,
): Promise<{ readonly plan: RepairPlan; readonly change: StageChange } | undefined> {
  refuseWhileCoding(before);
  const number = before.history.filter(
    (event) => event.kind === "repair-prepared" && !event.iterationId.includes("/"),
  ).length;
  const iterationId = `repair-${String(number + 1).padStart(2, "0")}`;
  const assistantUrl = stage.assistantUrl ?? before.assistantUrl;
  const plan = planRepair(await openTargets(parts, stage, before), {
    iterationId,
    packHash: stage.packHash,
    hints: stage.manifest.fileHints,
    validationCommand: stageCommand("run", {
      manifest: stage.manifestPath,
      ...defined({ assistantUrl }),
    }),
  });
  if (plan === undefined) return undefined;
  const { packHash, validationQuestions: questions } = plan;
  const event = { kind: "repair-prepared", iterationId, packHash, questions } as const;
  return {
    plan,
    change: { entries: [{ event, evidence: {} }], files: planFiles(stage, plan) },
  };
}

/** Targets of the latest run, live or ingested: an older one may be repaired long since. */
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
    const file = reviewFile(latest);
    const text = file === undefined ? undefined : await folders.read(folder, file);
    return text === undefined ? [] : readArtifact("repair_targets.json", text).targets;
  }
  if (latest.event.kind !== "loop-finished") return [];
  const { loopId } = latest.event;
  const name = "lead_coder_handoff.json";
  const place = `domain_loops/${loopId}`;
  const loop = `domain_loops/${loopId.split("/")[0]}`;
  const handOff =
    (await folders.read(folder, `${place}/${name}`)) ??
    (await folders.read(folder, `${loop}/${name}`));
  if (handOff !== undefined) return readArtifact(name, handOff).targets;
  const pack = await folders.read(folder, `${place}/pack_state.json`);
  return pack === undefined ? [] : readArtifact("pack_state.json", pack).repairTargets;
}

function reviewFile({ evidence }: StageEntry): string | undefined {
  return Object.keys(evidence).find((file) => file.endsWith("/repair_targets.json"));
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
