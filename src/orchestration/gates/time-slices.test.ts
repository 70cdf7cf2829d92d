import { expect, it, onTestFinished } from "vitest";
import { preparedFolder } from "../../../tests/support/prepared-folder.ts";
import { newProjectFolder, studioWithoutSocket } from "../../../tests/support/studio.ts";
import { makeNotes } from "../../../tests/support/studio-episode.ts";
import { loadMatrix } from "./load-matrix.ts";
import { loadPeriod, loadStaleness } from "./load-staleness.ts";
import type { NotesTools } from "./notes-tools.ts";
import { TimeSlices } from "./time-slices.ts";
import { loadWork } from "./warn-queue.ts";

const story = preparedFolder(makeNotes);
const everything = { paths: [], gates: [], includeDismissed: true };

/** Counts how often the event loop comes round. */
function countRounds() {
  const counted = { rounds: 0 };
  let isOver = false;
  const next = (): void => {
    counted.rounds += 1;
    if (!isOver) setImmediate(next);
  };
  setImmediate(next);
  onTestFinished(() => {
    isOver = true;
  });
  return counted;
}

/** Tools on a slow machine: a slice is over after every look at the clock. Says how often others could work during reads. */
async function slowTools() {
  const root = newProjectFolder();
  story.copyTo(root);
  const { parts } = await studioWithoutSocket(root);
  const tools = await parts.notes.tools();
  const counted = countRounds();
  const seen = { duringReads: 0 };
  let uptime = 0;
  const slow: NotesTools = {
    ...tools,
    clock: {
      ...tools.clock,
      now: () => tools.clock.now(),
      monotonic: () => {
        uptime += 1_000;
        return uptime;
      },
    },
    store: {
      transaction: (work) => tools.store.transaction(work),
      read: async (work) => {
        const before = counted.rounds;
        const found = await tools.store.read(work);
        seen.duringReads += counted.rounds - before;
        return found;
      },
    },
  };
  const paths = await tools.store.read(({ reviews }) => reviews.notePaths.all());
  return { slow, seen, notes: paths.length, model: tools.settings.models[0] ?? "" };
}

it("lets other work run between two notes of a matrix", async () => {
  const { slow, seen, notes, model } = await slowTools();
  expect(notes).toBeGreaterThan(10);
  await loadMatrix(slow, model);
  expect(seen.duringReads).toBeGreaterThanOrEqual(notes);
});

it("lets other work run between two notes of the chart of staleness", async () => {
  const { slow, seen, notes, model } = await slowTools();
  await loadStaleness(slow, model, await loadPeriod(slow, 30));
  expect(seen.duringReads).toBeGreaterThanOrEqual(2 * notes);
});

it("lets other work run between two notes of the fix queue", async () => {
  const { slow, seen, notes } = await slowTools();
  await loadWork(slow, everything);
  expect(seen.duringReads).toBeGreaterThanOrEqual(2 * notes);
});

it("goes on without a pause while a slice lasts", async () => {
  const counted = countRounds();
  const clock = { monotonic: () => 0 } as NotesTools["clock"];
  const seen: number[] = [];
  await new TimeSlices(clock).forEach([1, 2, 3], (one) => seen.push(one));
  expect(seen).toEqual([1, 2, 3]);
  expect(counted.rounds).toBe(0);
});
