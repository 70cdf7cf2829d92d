import { writeStageEntry, writeStageFacts } from "../../contract/stages/stage-record.ts";
import { closingOf } from "../../domain/stages/closing-gate.ts";
import type { StageEntry, StageEvent } from "../../domain/stages/stage-history.ts";
import { defined } from "../../domain/values/defined.ts";
import type { RecordFile } from "../../ports/record-files.ts";
import { keptAddresses } from "./known-address.ts";
import { loadStage } from "./load-stage.ts";
import {
  type NewEntry,
  namesOf,
  type Stage,
  StageBusy,
  type StageParts,
  type StageState,
  termsOf,
} from "./stage.ts";
import { stageFiles } from "./stage-files.ts";

/** What a command adds to a stage. Files are written before the event that relies on them. */
export interface StageChange {
  readonly entries?: readonly NewEntry[];
  readonly files?: readonly RecordFile[];
  /** `undefined` leaves it unchanged, `none` clears it. */
  readonly openLoop?: string;
  readonly savedPack?: string;
}

export interface Recording {
  /** Number of entries when the command decided; if it differs now, nothing is done. */
  readonly seen?: number | undefined;
}

interface Decided<T> {
  readonly change: StageChange;
  readonly result: T;
}

/** Changes a stage where nothing but its new state is wanted. */
export async function recordStage(
  parts: StageParts,
  stage: Stage,
  decide: (state: StageState) => StageChange | Promise<StageChange>,
  recording: Recording = {},
): Promise<StageState> {
  const { state } = await recordDecision(parts, stage, recording, async (before) => ({
    change: await decide(before),
    result: undefined,
  }));
  return state;
}

/**
 * The only way a stage changes: the store's record is read and added to under a lock, then the stage's files show it.
 * `decide` gets the newest state and throws to change nothing.
 */
export async function recordDecision<T>(
  parts: StageParts,
  stage: Stage,
  { seen }: Recording,
  decide: (state: StageState) => Decided<T> | Promise<Decided<T>>,
): Promise<{ readonly state: StageState; readonly result: T }> {
  await parts.endOrphans();
  return await parts.exclusively("stages", async () => {
    const before = await loadStage(parts, { folder: stage.folder, terms: termsOf(stage) });
    refuseMoved(before, seen);
    const { change, result } = await decide(before);
    const at = parts.clock.now();
    const first = before.entries.length + 1;
    const added = (change.entries ?? []).map(
      (entry, index): StageEntry => ({ number: first + index, at, evidence: {}, ...entry }),
    );
    await parts.folders.write(stage.folder, change.files ?? []);
    const { coderAtWork: _, openLoop: earlierLoop, ...kept } = before;
    const openLoop = change.openLoop ?? earlierLoop;
    const history = [...before.history, ...added.map(({ event }) => event)];
    const addresses = keptAddresses(stage.assistantUrl, {
      ...{ history, before: before.facts, openLoop: change.openLoop },
    });
    const state: StageState = {
      ...kept,
      ...defined({ openLoop: openLoop === "none" ? undefined : openLoop }),
      ...defined({ savedPack: change.savedPack, assistantUrl: stage.assistantUrl }),
      ...defined({ userModel: stage.userModel }),
      entries: [...before.entries, ...added],
      history,
      unrecorded: 0,
      endedLoops: 0,
    };
    const recorded = before.entries.length - before.unrecorded;
    await keep(parts, stage, { state, addresses, at, recorded });
    await parts.folders.write(stage.folder, await stageFiles(parts, { stage, state, at }));
    parts.crash.reach("stage-recorded");
    return { state, result };
  });
}

async function keep(
  { store }: StageParts,
  stage: Stage,
  about: {
    readonly state: StageState;
    readonly addresses: ReturnType<typeof keptAddresses>;
    readonly at: string;
    readonly recorded: number;
  },
): Promise<void> {
  const { state, addresses, at: updatedAt, recorded } = about;
  const { folder, assistantUrl: _, userModel: __, ...names } = namesOf(stage);
  const { openLoop, userModel, savedPack } = state;
  const { targetScore } = stage.manifest;
  const facts = writeStageFacts({
    ...{ ...names, targetScore, decider: stage.decider, updatedAt },
    ...{ ...addresses, ...defined({ openLoop, userModel, savedPack }) },
  });
  const entries = state.entries.slice(recorded).map(writeStageEntry);
  await store.transaction(({ stages }) => stages.record(folder, { facts, entries }));
}

/** Nothing is decided on another state than the one that was seen. */
export function refuseMoved({ history, entries }: StageState, seen: number | undefined): void {
  if (seen === undefined || entries.length === seen) return;
  const closed: StageEvent | undefined = history[closingOf(history) ?? -1];
  const what =
    closed?.kind === "stage-closed"
      ? `${closed.confirmedBy} has confirmed and closed this stage meanwhile.`
      : "Another command changed this stage at the same time.";
  throw new StageBusy(what, {
    code: "stage-moved",
    facts: { seen, entries: entries.length },
    hint: "Nothing was done. `signoff stage status` shows the next step.",
  });
}
