import type { StageEntry } from "../../domain/stages/stage-history.ts";
import { defined } from "../../domain/values/defined.ts";
import type { RecordFile } from "../../ports/record-files.ts";
import { loadStage } from "./load-stage.ts";
import { type NewEntry, type Stage, StageBusy, type StageParts, type StageState } from "./stage.ts";
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
  readonly seen?: number;
}

/**
 * The only way a stage changes: its file is read, changed and renamed into place under a lock. `decide` gets the newest
 * state and throws to change nothing.
 */
export async function recordStage(
  parts: StageParts,
  stage: Stage,
  decide: (state: StageState) => StageChange | Promise<StageChange>,
  { seen }: Recording = {},
): Promise<StageState> {
  await parts.endOrphans();
  return await parts.exclusively("stages", async () => {
    const before = await loadStage(parts, stage);
    if (seen !== undefined && before.entries.length !== seen) throw stageMoved(before, seen);
    const change = await decide(before);
    const first = before.entries.length + 1;
    const added = (change.entries ?? []).map(
      (entry, index): StageEntry => ({ number: first + index, at: parts.clock.now(), ...entry }),
    );
    await parts.folders.write(stage.folder, change.files ?? []);
    const { coderAtWork: _, openLoop: earlierLoop, ...kept } = before;
    const openLoop = change.openLoop ?? earlierLoop;
    const state: StageState = {
      ...kept,
      ...defined({ openLoop: openLoop === "none" ? undefined : openLoop }),
      ...defined({ savedPack: change.savedPack, assistantUrl: stage.assistantUrl }),
      entries: [...before.entries, ...added],
      history: [...before.history, ...added.map(({ event }) => event)],
      unrecorded: 0,
    };
    const files = await stageFiles(parts, { stage, state, at: parts.clock.now() });
    await parts.folders.write(stage.folder, files);
    parts.crash.reach("stage-recorded");
    return state;
  });
}

function stageMoved({ entries }: StageState, seen: number): StageBusy {
  const last = entries.at(-1)?.event;
  const what =
    last?.kind === "stage-closed"
      ? `${last.confirmedBy} has confirmed and closed this stage meanwhile.`
      : "Another command changed this stage at the same time.";
  return new StageBusy(what, {
    code: "stage-moved",
    facts: { seen, entries: entries.length },
    hint: "Nothing was done. `signoff stage status` shows the next step.",
  });
}
