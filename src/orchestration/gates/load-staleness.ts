import {
  type DatedAcceptance,
  type StaleDay,
  StalenessByDay,
  type VersionChange,
} from "../../domain/gates/staleness-over-time.ts";
import { instantFromMillis, millisOf } from "../../domain/values/instant.ts";
import type { NoteFile } from "../../ports/note-source.ts";
import { pairName } from "./filed-verdicts.ts";
import type { Gate } from "./load-gates.ts";
import { loadWorld } from "./load-world.ts";
import type { NotesTools } from "./notes-tools.ts";
import { selectPairs } from "./select-pairs.ts";
import { TimeSlices } from "./time-slices.ts";

const dayMillis = 86_400_000;

/** What decides the answer besides the state of the notes: the days, in UTC, and what was committed on them. */
export interface StalenessPeriod {
  readonly days: readonly { readonly day: string; readonly endsAt: string }[];
  readonly changes: readonly VersionChange[];
}

export async function loadPeriod(
  { settings, source, clock }: NotesTools,
  length: number,
): Promise<StalenessPeriod> {
  const midnight = Math.floor(millisOf(clock.now()) / dayMillis) * dayMillis;
  const days = Array.from({ length }, (_, at) => {
    const starts = midnight - (length - 1 - at) * dayMillis;
    return {
      day: instantFromMillis(starts).slice(0, 10),
      endsAt: instantFromMillis(starts + dayMillis - 1),
    };
  });
  const since = instantFromMillis(midnight - length * dayMillis);
  return {
    days,
    changes: await source.versionChanges(since, [...settings.roots, settings.gates]),
  };
}

/** How many of the pairs that a model or a rule reviews were fresh at the end of each day of the period. */
export async function loadStaleness(
  tools: NotesTools,
  model: string,
  { days, changes }: StalenessPeriod,
): Promise<readonly StaleDay[]> {
  const world = await loadWorld(tools, { paths: [], gates: [] });
  const fresh: Named[] = [];
  const { stale } = await selectPairs(tools, world, {
    models: [model],
    onPassing: (...pair) => fresh.push(pair),
    onFresh: (pair) => fresh.push([pair.note, pair.gate, pair.model]),
  });
  const accepted = await loadAcceptances(tools);
  const found = new StalenessByDay(days, changes);
  const add = ([note, gate, partition]: Named, isFresh: boolean): void =>
    found.add({ note, gate, isFresh, accepted: accepted(note.path, pairName(gate.id, partition)) });
  const pace = new TimeSlices(tools.clock);
  await pace.forEach(fresh, (pair) => add(pair, true));
  await pace.forEach(stale, (pair) => add([pair.note, pair.gate, pair.model], false));
  return found.counts;
}

type Named = readonly [note: NoteFile, gate: Gate, model: string];

/** Everything that was accepted for a pair, oldest first. */
async function loadAcceptances(
  tools: NotesTools,
): Promise<(notePath: string, pair: string) => readonly DatedAcceptance[]> {
  const byNote = new Map<string, ReadonlyMap<string, readonly DatedAcceptance[]>>();
  const pace = new TimeSlices(tools.clock);
  await tools.store?.read(async ({ reviews }) => {
    await reviews.acceptances.datedByNote(({ notePath, gates, noteBlobs, times }) => {
      const own = gates.map(({ gateId, model, gateBlob }, at) => ({
        pair: pairName(gateId, model),
        ...{ gateBlob, noteBlob: noteBlobs[at] ?? "", at: times[at] ?? "" },
      }));
      byNote.set(
        notePath,
        Map.groupBy(own, ({ pair }) => pair),
      );
      return pace.pause();
    });
  });
  return (notePath, pair) => byNote.get(notePath)?.get(pair) ?? [];
}
