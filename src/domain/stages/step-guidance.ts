import type { NextAction } from "./next-action.ts";

export interface StepGuidance {
  /** Files to read first, in order. */
  readonly read: readonly string[];
  /** Ready to paste; a run id that nobody knows yet is the only gap. */
  readonly commandTemplates: readonly string[];
}

/** Commands for the next action with the stage's real paths. */
export function guideNextStep(
  action: NextAction,
  paths: { readonly manifest: string; readonly stageDir: string },
): StepGuidance {
  const stage = (command: string, more = "") =>
    `signoff stage ${command} --manifest ${quoteArgument(paths.manifest)}${more}`;
  const file = (name: string) => `${paths.stageDir}/${name}`;
  switch (action) {
    case "continue_autonomous_or_fix_blocker":
      return { read: [file("domain_pack_loop.command.txt")], commandTemplates: [stage("run")] };
    case "lead_coder_repair_required":
      return {
        read: [file("lead_coder_handoff.md"), file("stage_context_capsule.md")],
        commandTemplates: [stage("prepare-repair"), stage("run")],
      };
    case "continue_repair_from_gui_review_p0":
    case "continue_repair_from_gui_review_p1":
      return {
        read: [file("stage_repair_handoff.md")],
        commandTemplates: [stage("prepare-repair"), stage("run-repair", " --dry-run")],
      };
    case "execute_prepared_repair":
      return {
        read: [file("stage_repair_handoff.md")],
        commandTemplates: [
          stage("run-repair", " --dry-run"),
          stage("continue", " --execute-repair"),
        ],
      };
    case "rerun_and_ingest_validation":
      return {
        read: [file("stage_loop_summary.json")],
        commandTemplates: [stage("run"), stage("ingest-run", " --run-id RUN_ID")],
      };
    case "inspect_repair_result":
    case "user_decision_required":
      return { read: [file("stage_loop_handoff.md")], commandTemplates: [stage("status")] };
    case "manual_gui_confirmation_or_stage_close":
      return {
        read: [file("stage_loop_handoff.md")],
        commandTemplates: [stage("close", " --confirmed-by NAME")],
      };
    case "stage_closed":
      return { read: [file("stage_loop_handoff.md")], commandTemplates: [stage("status")] };
  }
}

function quoteArgument(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
