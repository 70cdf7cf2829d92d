import type { StageEntry } from "../../domain/stages/stage-history.ts";
import { defined } from "../../domain/values/defined.ts";
import type { RecordFile } from "../../ports/record-files.ts";
import { loadStage } from "./load-stage.ts";
import { type NewEntry, type Stage, StageBusy, type StageParts, type StageState } from "./stage.ts";
import { stageFiles } from "./stage-files.ts";

/** What a command adds to a stage. Files are written before the event that stands on them. */
export interface StageChange {
  readonly entries?: readonly NewEntry[];
  readonly files?: readonly RecordFile[];
  /** `undefined` leaves it as it is, `none` forgets it. */
  readonly openLoop?: string;
  readonly savedPack?: string;
}

export interface Recording {
  /** Entries the command has seen when it decided; if there are others now, nothing is done. */
  readonly seen?: number;
}

/**
 * The only way a stage changes: what is there now is read, changed and renamed into place while nobody else can.
 * `decide` sees the newest state and throws to change nothing.
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
    const entries = [...before.entries, ...numbered(parts, before, change.entries ?? [])];
    await parts.folders.write(stage.folder, change.files ?? []);
    const state: StageState = {
      ...withoutLoop(before),
      ...openLoopOf(before, change),
      ...defined({ savedPack: change.savedPack, assistantUrl: stage.assistantUrl }),
      entries,
      history: [...before.history, ...(change.entries ?? []).map(({ event }) => event)],
      unrecorded: 0,
    };
    const { coderAtWork: _, ...settled } = state;
    await parts.folders.write(
      stage.folder,
      await stageFiles(parts, { stage, state: settled, at: parts.clock.now() }),
    );
    parts.crash.reach("stage-recorded");
    return settled;
  });
}

function numbered(
  { clock }: StageParts,
  { entries }: StageState,
  added: readonly NewEntry[],
): readonly StageEntry[] {
  return added.map((entry, index) => ({
    number: entries.length + index + 1,
    at: clock.now(),
    ...entry,
  }));
}

function withoutLoop({ openLoop: _, ...state }: StageState): StageState {
  return state;
}

function openLoopOf(before: StageState, { openLoop }: StageChange): Pick<StageState, "openLoop"> {
  const next = openLoop ?? before.openLoop;
  return next === undefined || next === "none" ? {} : { openLoop: next };
}

function stageMoved({ entries }: StageState, seen: number): StageBusy {
  const last = entries.at(-1)?.event;
  const what =
    last?.kind === "stage-closed"
      ? `${last.confirmedBy} has confirmed and closed this stage meanwhile.`
      : "Somebody else took a step of this stage at the same moment.";
  return new StageBusy(what, {
    code: "stage-moved",
    facts: { seen, entries: entries.length },
    hint: "Nothing was done here. `signoff stage status` shows what is next now.",
  });
}
