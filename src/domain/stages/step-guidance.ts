import { shellWord } from "../values/shell-word.ts";
import type { StageNeed } from "./closing-gate.ts";
import type { NextAction } from "./next-action.ts";

export interface StepGuidance {
  /** Files to read first, in order. */
  readonly read: readonly string[];
  /** Ready to paste; only a run id that is not known yet is left open. */
  readonly commandTemplates: readonly string[];
}

/** Where a stage is, as the commands name it. */
export interface StagePaths {
  readonly manifest: string;
  readonly stageDir: string;
  /** Folder of the latest loop; hand-offs of live failures are there. */
  readonly loopDir?: string;
  /** Folder of the latest repair. */
  readonly repairDir?: string;
  /** Given where it is not the project's own. */
  readonly assistantUrl?: string;
  /** Plays the simulated users; given where it is not the project's own. */
  readonly userModel?: string;
  /** The coder of the dry run, if given on the command line. */
  readonly givenCoder?: readonly string[];
}

/** Commands for the next action with the stage's real paths; acts of a person that are missing come first. */
export function guideNextStep(
  action: NextAction,
  paths: StagePaths,
  missing: readonly StageNeed[] = [],
): StepGuidance {
  const { read, commandTemplates } = guideAction(action, paths);
  const acts = missing
    .filter(({ command }) => command === "rule" || command === "reopen")
    .map(({ command, more }) => stageCommand(command, paths, more));
  return { read, commandTemplates: [...acts, ...commandTemplates] };
}

function guideAction(action: NextAction, paths: StagePaths): StepGuidance {
  const stage = (command: string, more = "") => stageCommand(command, paths, more);
  const handOff = `${paths.stageDir}/stage_loop_handoff.md`;
  const inRepair = (...names: readonly string[]) =>
    paths.repairDir === undefined ? [] : names.map((name) => `${paths.repairDir}/${name}`);
  const guide = (read: readonly string[], ...commandTemplates: readonly string[]) => ({
    read,
    commandTemplates,
  });
  switch (action) {
    case "continue_autonomous_or_fix_blocker":
      return guide([`${paths.stageDir}/domain_pack_loop.command.txt`], stage("run"));
    case "lead_coder_repair_required": {
      const live = `${paths.loopDir ?? paths.stageDir}/lead_coder_handoff.md`;
      const capsule = `${paths.stageDir}/stage_context_capsule.md`;
      return guide([live, capsule], stage("continue"), stage("prepare-repair"), stage("run"));
    }
    case "continue_repair_from_gui_review_p0":
    case "continue_repair_from_gui_review_p1": {
      const review = `${paths.stageDir}/stage_repair_handoff.md`;
      const dryRun = stage("run-repair", " --dry-run");
      return guide([review], stage("continue"), stage("prepare-repair"), dryRun);
    }
    case "execute_prepared_repair":
      return guide(inRepair("repair_prompt.md", "repair_coder.command.txt"), ...executing(paths));
    case "rerun_and_ingest_validation": {
      const ingest = stage("ingest-run");
      return guide(inRepair("repair_execution_summary.json"), stage("run"), ingest);
    }
    case "inspect_repair_result": {
      const read = [...inRepair("repair_execution_summary.json"), handOff];
      return guide(read, stage("prepare-repair"), stage("run"));
    }
    case "user_decision_required":
      return guide([handOff], stage("run", " --decide continue"), stage("run", " --decide stop"));
    case "manual_gui_confirmation_or_stage_close":
      return guide([handOff], stage("close"));
    case "stage_closed":
      return guide([handOff], stage("status"));
  }
}

/** A coder that the manifest names was not chosen by the user: it needs their consent, once. */
function executing(paths: StagePaths): readonly string[] {
  const { manifest, givenCoder } = paths;
  const words = givenCoder === undefined ? "" : ` -- ${givenCoder.map(shellWord).join(" ")}`;
  return [
    stageCommand("run-repair", paths, ` --dry-run${words}`),
    ...(givenCoder === undefined ? [`signoff trust --manifest ${shellWord(manifest)}`] : []),
    stageCommand("continue", paths, ` --execute-repair${words}`),
  ];
}

/** What a printed command has to name. */
export type CommandPaths = Pick<StagePaths, "manifest" | "assistantUrl" | "userModel">;

/** One command of a stage, ready to paste. */
export function stageCommand(
  command: string,
  { manifest, assistantUrl, userModel }: CommandPaths,
  more = "",
): string {
  const flag = (name: string, value: string | undefined) =>
    command === "run" && value !== undefined ? ` ${name} ${shellWord(value)}` : "";
  const given = flag("--assistant-url", assistantUrl) + flag("--user-model", userModel);
  return `signoff stage ${command} --manifest ${shellWord(manifest)}${given}${more}`;
}
