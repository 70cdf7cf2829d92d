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

## I want to bring an assistant to the point where I can sign for it

Six commands, if the first repair is enough:

\`\`\`
signoff stage run --manifest stage.yaml                          # asks the pack, judges it, writes the hand-off
signoff stage continue --manifest stage.yaml                     # prepares the repair and shows the coder's command
signoff trust --manifest stage.yaml                              # your yes to that command, once
signoff stage continue --manifest stage.yaml --execute-repair    # runs the coder
signoff stage run --manifest stage.yaml                          # proves the repair: the same questions again
signoff stage close --manifest stage.yaml                        # your name under it; it asks for it
\`\`\`

Every command says what it did, what comes next, and which pages to read first, with their length. \`stage status\` says
the same without doing anything. \`stage continue\` takes the next safe step: it makes no model call, and starts a coder only with
\`--execute-repair\`.

| I want to | type |
|---|---|
| know what a run would ask and cost | \`signoff stage plan --manifest stage.yaml\` |
| use a conversation that was held elsewhere | \`signoff stage ingest-run --manifest stage.yaml --run-id ID\` |
| answer what the analyst or the coder asks | \`signoff stage run --manifest stage.yaml --decide continue\`, with \`--comment\` if there is more to say |
| overrule a finding | \`signoff stage rule --manifest stage.yaml --finding ID\` |
| see why it cannot be closed | \`signoff stage status --manifest stage.yaml\` |

## What a stage is

A stage carries one pack from plan to a person's confirmation. Its history is kept in the project's store. Its folder,
\`artifacts/domain_runs/stage_agent_loops/<stage_id>/\`, shows that history; no verdict is read from it. This page is
written by \`npm run generate\` from the rules themselves.

## Next actions

${[row("next action", "what it asks", "read first", "type"), row("---", "---", "---", "---"), ...actions].join("\n")}

## After a coder

${[row("coder status", "next action"), row("---", "---"), ...coders].join("\n")}

A coder's status is its claim. Every coder that was started needs proof, whatever it reports and however it ended. Files
that are different afterwards count as \`patched\` even if the coder says \`no_change\`.

Before a coder starts, Signoff takes digests of everything a verdict could rest on: files of the stage, the store,
the manifest and its pack, \`signoff.yaml\`, and Signoff's own program. If one is different afterwards, the repair was
\`tampered\` with and has failed, and \`status\` lists what changed. If the process that watched over the coder was lost, the
repair is \`unobserved\`. Both need a person's ruling before a proof counts:
\`signoff stage rule --manifest stage.yaml --repair REPAIR\`.

A coder that outlived a killed command is named by \`status\`; the next command that changes a stage ends it with everything
it started, and says so.

A program that you type is your own choice: \`--coder node fix.mjs\`, or after \`--\` with words that begin with a dash. One
that the manifest names runs after \`signoff trust --manifest stage.yaml\`, which stores your trust in exactly this command for
this project; \`--trust\` covers one command, \`SIGNOFF_TRUST\` is for CI.

## Closing gate

\`stage_closing_gate.status\` is one of ${CLOSING_STATUSES.map(code).join(", ")}.
It is derived each time, by one rule for \`status\`, \`continue\`, \`close\`, \`doctor\`, \`verify\`, the API and the studio:

- The latest loop is accepted when its recorded answers and its analyst's recorded reply are judged again, it played the
  present pack, reached the target score, and was judged by a model if the stage names one. Loops whose runs are not in this
  project's store, or whose files were changed, are not accepted.
- Every repair is proven by a run that began after the coder had ended: an accepted replay of the pack, or a clean imported
  run that asks every question of the repair. A replay of a changed pack counts if it holds every finding of the repair
  against the same expectations.
- No P0 or P1 is open. A finding is settled when the check that failed passes on the same question after the same earlier
  questions, with the same expectations, or when a person settles it:
  \`signoff stage rule --manifest stage.yaml --finding ID\`. Dropping a question from the pack settles nothing,
  and neither does a shorter list of \`garbage_markers\` or \`noise_phrases\` in \`signoff.yaml\`.

\`missing\` names what is lacking, each with a command. \`loop_accepted_gate\` is the verdict of the latest loop alone.

An imported run counts from the date in its own session files (\`session.answer.at\` in \`signoff.yaml\` says where it is),
or from \`--held-at\` where they have none; without a date, or with one that is yet to come, it may add findings but
proves nothing. It can be imported again with \`--held-at\` then. It is shown with the name of the person who imported it.
It can show visible answers only: findings in technical fields need a replay. A finding about a question outside the
pack is settled by another imported run, or by a replay after the question was added to the pack: as a scenario that
asks the same questions in the same order.

The assistant is the one that gave the first answer. A replay at another address, or with other settings for what it is
sent and how its answers are read (\`mask\`, and of \`assistant\` the keys \`preset\`, \`model\`, \`stream\`, \`headers\`, \`message\`
and \`session\`), proves nothing unless you vouch for the change with \`--assistant-changed\`. Your name and reason are kept.
An address given with \`--assistant-url\` is remembered once it has answered.

Folders and summaries that the store does not know, of another checkout or an older version, may add findings, never proof.

Closing is an act. A closed stage stays closed; \`closed_evidence_lost\` means that what the person relied on is gone.
\`stage reopen\` opens it, and \`ingest-run\` with new findings proposes that.

## Exit codes

0 done and accepted, or the step was taken; 1 the gate is not passed; 2 wrong usage; 3 a hand-off, a decision, a
validation or the confirmation is needed from a person; 5 the assistant is unreachable, or another process is working on
the stage; 130 interrupted.
`;
}
