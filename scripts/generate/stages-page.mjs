// docs/stages.md from the rules themselves.

import { CODER_STATUSES } from "../../dist/src/domain/scenarios/coder-status.js";
import { CLOSING_STATUSES } from "../../dist/src/domain/stages/closing-gate.js";
import { decideNextAction, NEXT_ACTIONS } from "../../dist/src/domain/stages/next-action.js";
import { guideNextStep } from "../../dist/src/domain/stages/step-guidance.js";

const paths = {
  manifest: "stage.yaml",
  stageDir: "STAGE",
  loopDir: "STAGE/domain_loops/LOOP",
  repairDir: "STAGE/repair_iterations/REPAIR",
};
const code = (text) => `\`${text}\``;
const row = (...cells) => `| ${cells.join(" | ")} |`;

const actions = Object.entries(NEXT_ACTIONS).map(([action, asks]) => {
  const { read, commandTemplates } = guideNextStep(action, paths);
  return row(
    code(action),
    asks,
    read.map(code).join("<br>"),
    commandTemplates.map(code).join("<br>"),
  );
});
const prepared = { kind: "repair-prepared", iterationId: "r", packHash: "p", questions: ["?"] };
const coders = CODER_STATUSES.map((coderStatus) => {
  const executed = { kind: "repair-executed", iterationId: "r", dryRun: false, coderStatus };
  return row(code(coderStatus), code(decideNextAction([prepared, executed])));
});

export function stagesPage() {
  return `# Stages

A stage carries one pack from plan to a person's confirmation. Its folder is
\`artifacts/domain_runs/stage_agent_loops/<stage_id>/\`; \`stage_loop_summary.json\` there holds the history, with the hashes
of the files each event stands on, and everything else in it is computed from that history. This page is written by
\`npm run generate\` from the rules themselves.

## Next actions

${[row("next action", "what it asks", "read first", "type"), row("---", "---", "---", "---"), ...actions].join("\n")}

## After a coder

${[row("coder status", "next action"), row("---", "---"), ...coders].join("\n")}

A coder's status is its claim. Files that are different afterwards count as \`patched\` even if the coder says
\`no_change\`, and a coder without a recorded end is \`interrupted\`. One that outlived a killed command is named by
\`status\`; the next command that changes a stage ends it with everything it started, and says so.

A program that you type is your own choice: \`--coder node fix.mjs\`, or after \`--\` with words that begin with a dash. One
that the manifest names runs after \`signoff trust --manifest stage.yaml\`, which stores your trust in exactly this command for
this project; \`--trust\` covers one command, \`SIGNOFF_TRUST\` is for CI.

## Closing gate

\`stage_closing_gate.status\` is one of ${CLOSING_STATUSES.map(code).join(", ")}.
It is \`blocked_pending_repair_validation\` while any patch of the stage's whole history has no later successful
validation: an accepted replay of the same pack hash, or a clean ingested run that asks every question of the repair.
\`loop_accepted_gate\` keeps the raw verdict of the latest loop.

## Exit codes

0 done and accepted, or the step was taken; 1 the gate is not passed; 2 wrong usage; 3 a hand-off, a decision, a
validation or the confirmation is somebody's turn; 5 the assistant is unreachable, or somebody else is at work on the
stage; 130 interrupted.
`;
}
