import { join } from "node:path";
import {
  findProcess,
  isDead,
  processOwner,
} from "../../adapters/engines/embedded/process-owner.ts";
import { watchCode } from "../../adapters/provenance/code-state.ts";
import {
  type CoderLedger,
  type CoderNotes,
  createCoderLedger,
} from "../../adapters/runners/command/coder-ledger.ts";
import { createCoderRunner } from "../../adapters/runners/command/coder-runner.ts";
import type { StageProcess } from "../../domain/stages/stage-history.ts";
import type { CoderTools } from "../../orchestration/scenarios/run-coder-once.ts";
import type { Clock } from "../../ports/clock.ts";
import { systemClock } from "../project/system-clock.ts";
import type { Environment } from "../settings/environment.ts";

/** A process on another host is believed: nobody here can know. */
export function isAlive(process: StageProcess): boolean {
  const never = new Date(8.64e15).toISOString();
  return !isDead({ ...process, since: never, expires: never } as Parameters<typeof isDead>[0], 0);
}

/** Where the coders of a project are noted. */
export function coderNotesOf(root: string): CoderNotes {
  return { folder: join(root, ".signoff", "coders"), isAlive, find: findProcess };
}

/** A process takes its own time to end, whatever time a test has set. */
export function coderLedgerOf(root: string): CoderLedger {
  const self = processOwner();
  const clock = systemClock;
  return createCoderLedger({ ...coderNotesOf(root), self, clock });
}

/** What flows run coders with. */
export function coderToolsOf(root: string, clock: Clock, environment: Environment): CoderTools {
  const ledger = coderLedgerOf(root);
  const variables = environment.everything();
  return {
    runCoder: createCoderRunner({ cwd: root, clock, environment: variables, ledger }),
    watchCode: (globs) => watchCode(root, globs, variables),
    clock,
  };
}
