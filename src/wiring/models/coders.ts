import { join } from "node:path";
import { findProcess, isDead, processOwner } from "../../adapters/engines/process-owner.ts";
import { watchCode } from "../../adapters/provenance/code-state.ts";
import {
  type CoderLedger,
  type CoderNotes,
  createCoderLedger,
} from "../../adapters/runners/command/coder-ledger.ts";
import { createCoderRunner } from "../../adapters/runners/command/coder-runner.ts";
import type { Guard } from "../../domain/settings/acts.ts";
import type { StageProcess } from "../../domain/stages/stage-history.ts";
import type { CoderTools } from "../../orchestration/scenarios/run-coder-once.ts";
import type { Clock } from "../../ports/clock.ts";
import { systemClock } from "../project/system-clock.ts";
import type { Environment } from "../settings/environment.ts";

/** A process on another host counts as alive, because it cannot be checked from here. */
export function isAlive(process: StageProcess): boolean {
  const never = new Date(8.64e15).toISOString();
  return !isDead({ ...process, since: never, expires: never } as Parameters<typeof isDead>[0], 0);
}

/** Where the coders of a project are noted. */
export function coderNotesOf(root: string): CoderNotes {
  return { folder: join(root, ".signoff", "coders"), isAlive, find: findProcess };
}

/** Uses the real clock even if a test has fixed the time, because it waits for processes to end. */
export function coderLedgerOf(root: string): CoderLedger {
  return createCoderLedger({ ...coderNotesOf(root), self: processOwner(), clock: systemClock });
}

/** What flows run coders with; what a coder must leave alone is the feature's to say. */
export function coderToolsOf(
  root: string,
  { clock, environment, guard }: { clock: Clock; environment: Environment; guard: Guard },
): Omit<CoderTools, "watchEvidence"> {
  const ledger = coderLedgerOf(root);
  const variables = environment.everything();
  return {
    allow: ({ argv }) => guard({ kind: "program", argv, folder: root }),
    runCoder: createCoderRunner({ cwd: root, clock, environment: variables, ledger, guard }),
    watchCode: (globs) => watchCode(root, globs, variables),
    clock,
  };
}
