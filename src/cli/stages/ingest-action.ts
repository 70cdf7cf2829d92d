import { resolve } from "node:path";
import type { ConversationPair } from "../../domain/scenarios/conversation-review.ts";
import { countOpen } from "../../domain/scenarios/repair-targets.ts";
import { defined } from "../../domain/values/defined.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import { ingestRun } from "../../orchestration/stages/ingest-run.ts";
import { loadPairs, reviewRulesOf } from "../../wiring/features/imported-runs.ts";
import { authorOf } from "../../wiring/project/author.ts";
import { clockOf } from "../../wiring/project/system-clock.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { invalidFlag } from "../shell/flag-values.ts";
import { codeAfterIngest } from "./stage-outcome.ts";
import { changeStage, type OpenedStage, type StageFlags, showState, stageOf } from "./stage-session.ts";

export interface StageIngestFlags extends StageFlags {
  readonly runId: string;
  readonly transcript?: string;
  readonly heldAt?: string;
  readonly by?: string;
}

export async function ingestRunCommand(cli: CliContext, flags: StageIngestFlags): Promise<void> {
  const opened = await stageOf(cli, flags);
  const { runId } = flags;
  const run = await importedRun(cli, opened, flags);
  const { state, review } = await changeStage(cli, opened, (parts) =>
    ingestRun(parts, opened.stage, { runId, ...run }),
  );
  const { P0, P1 } = countOpen(review.repairTargets);
  const said = `Ingested ${runId}: ${review.pairs.length} answers, ${P0} P0, ${P1} P1.`;
  cli.end(codeAfterIngest(state.history));
  const more = run.heldAt === undefined ? [undated] : [];
  await showState(cli, opened, { flags, state, said: [said, ...more] });
}

const undated =
  "It says nowhere when it was held, so it can add findings but prove nothing; --held-at TIME says when.";

/** The conversation of a run, with what its review needs. */
export async function importedRun(
  cli: CliContext,
  { project, stage }: OpenedStage,
  run: Pick<StageIngestFlags, "runId" | "transcript" | "heldAt" | "by">,
) {
  if (!/^[A-Za-z0-9][A-Za-z0-9_.-]{0,119}$/.test(run.runId)) {
    throw new ConfigurationError(`"${run.runId}" is not a run id.`, { code: "bad-run-id" });
  }
  const { root, loaded } = project;
  const transcript = run.transcript && resolve(cli.cwd, run.transcript);
  const asked = { id: run.runId, ...defined({ transcript }) };
  const pairs = await loadPairs(root, loaded.settings, asked);
  const { fileHints } = stage.manifest;
  const { by } = await authorOf(cli, run);
  const heldAt = heldAtOf(pairs, run.heldAt, clockOf(cli.environment).now());
  const rules = { ...reviewRulesOf(loaded.settings, stage.pack), fileHints };
  return { pairs, rules, by, ...defined({ heldAt }) };
}

/** When the first question was asked, by the run's own record; only where that is silent, by a person's word. */
function heldAtOf(
  pairs: readonly ConversationPair[],
  given: string | undefined,
  now: string,
): string | undefined {
  const times = pairs.flatMap(({ at }) => (at === undefined ? [] : [at])).sort();
  const isDated = times.length === pairs.length && pairs.length > 0;
  if (isDated && given !== undefined) {
    throw invalidFlag("This run has dates of its own.", "Leave out --held-at.");
  }
  if (isDated || given === undefined) return isDated ? times[0] : undefined;
  const millis = Date.parse(given);
  if (Number.isNaN(millis) || millis > Date.parse(now)) {
    throw invalidFlag(
      `--held-at ${given} is no time in the past.`,
      "Write it as 2026-11-17T14:30Z.",
    );
  }
  return new Date(millis).toISOString();
}

