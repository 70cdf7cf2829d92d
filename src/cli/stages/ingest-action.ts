import { resolve } from "node:path";
import { countOpen } from "../../domain/scenarios/repair-targets.ts";
import { counted } from "../../domain/values/counted.ts";
import { defined } from "../../domain/values/defined.ts";
import { ingestRun } from "../../orchestration/stages/ingest-run.ts";
import { loadImported } from "../../wiring/features/stage-work.ts";
import { authorOf } from "../../wiring/project/author.ts";
import { clockOf } from "../../wiring/project/system-clock.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { invalidFlag } from "../shell/flag-values.ts";
import { ownWords } from "../shell/own-words.ts";
import { codeAfterIngest } from "./stage-outcome.ts";
import {
  changeStage,
  type OpenedStage,
  type StageFlags,
  showState,
  stageOf,
} from "./stage-session.ts";

export interface StageIngestFlags extends StageFlags {
  readonly runId?: string;
  readonly transcript?: string;
  readonly heldAt?: string;
  readonly by?: string;
}

export async function ingestRunCommand(cli: CliContext, flags: StageIngestFlags): Promise<void> {
  const opened = await stageOf(cli, flags);
  const runId = await ownWords(cli, flags.runId, {
    flag: "--run-id",
    example: "--run-id gui-1",
    question: "Which run? Its id is the name of its file or folder.",
  });
  const run = await importedRun(cli, opened, { ...flags, runId });
  const { state, review } = await changeStage(cli, opened, (parts) =>
    ingestRun(parts, opened.stage, { runId, ...run }),
  );
  const { P0, P1 } = countOpen(review.repairTargets);
  const said = `Ingested ${runId}: ${counted(review.pairs.length, "answer")}, ${P0} P0, ${P1} P1.`;
  cli.end(codeAfterIngest(state.history));
  const more = run.heldAt === undefined ? [undated] : [];
  await showState(cli, opened, { flags, state, said: [said, ...more] });
}

const undated =
  "Its record names no time in the past, so it can add findings but prove nothing; --held-at says when it was held.";

/** The conversation of a run, with what its review needs. */
export async function importedRun(
  cli: CliContext,
  { project, stage }: OpenedStage,
  run: Pick<StageIngestFlags, "transcript" | "heldAt" | "by"> & { readonly runId: string },
) {
  const transcript = run.transcript && resolve(cli.cwd, run.transcript);
  const asked = { id: run.runId, ...defined({ transcript }) };
  const imported = await loadImported(project, stage, asked);
  const { by } = await authorOf(cli, run);
  const heldAt = heldAtOf(imported.heldAt, run.heldAt, clockOf(cli.environment).now());
  return { ...imported, by, ...defined({ heldAt }) };
}

/** By the run's own record; only where that is silent, by a person's word. */
function heldAtOf(
  recorded: string | undefined,
  given: string | undefined,
  now: string,
): string | undefined {
  if (recorded !== undefined && given !== undefined) {
    throw invalidFlag("This run has dates of its own.", "Leave out --held-at.");
  }
  if (given === undefined) return recorded;
  const millis = Date.parse(given);
  if (Number.isNaN(millis) || millis > Date.parse(now)) {
    throw invalidFlag(
      `--held-at ${given} is no time in the past.`,
      "Write it as 2026-11-17T14:30Z.",
    );
  }
  return new Date(millis).toISOString();
}
