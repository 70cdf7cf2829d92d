import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openBareStore, writeFilesBarely } from "../bound.mjs";
import { openLoops } from "../loops.mjs";
import { inFolder, interleaved, timed } from "../measure.mjs";
import { recordedReplies } from "../recorded-replies.mjs";

const turns = 100;
const rounds = 15;

/**
 * Two recorded calls and the files that a drafting turn leaves, then the whole drafting turn, against the same
 * commits and the same files written atomically.
 */
export function recordFiles() {
  return inFolder(async (folder) => {
    const loops = openLoops(folder, { withFiles: true });
    const bare = openBareStore(folder);
    const run = await loops.runLoop(turns);
    const replies = recordedReplies(loops.path, run);
    const told = eventsByTurn(await loops.store.runs.events(run, 0, 10_000));
    const batches = batchesOf(join(folder, ".signoff", "runs", run));
    const perIteration = async (work) => ((await timed(work)) * 1000) / turns;
    const barely = (round) => {
      replies.forEach(bare.record);
      for (const batch of batches) {
        const target = join(folder, "bare", String(round));
        writeFilesBarely(batch.map(({ name, content }) => ({ path: join(target, name), content })));
      }
    };
    const { journal, turn, bound } = await interleaved(rounds, {
      journal: () => perIteration(() => loops.runTwoCalls(replies, told)),
      turn: () => perIteration(() => loops.runLoop(turns)),
      bound: (round) => perIteration(() => barely(round)),
    });
    loops.close();
    bare.close();
    const boundIs = "two FULL commits and the same files, written atomically";
    return [
      {
        figure: "two recorded calls with files",
        unit: "µs",
        ours: journal,
        bound,
        boundIs,
        target: 1.5,
      },
      {
        figure: "drafting turn with files",
        unit: "µs",
        ours: turn,
        bound,
        boundIs: `${boundIs}; a target of our own`,
        target: 2.4,
      },
    ];
  });
}

/** What the files are made from, by the number of turns that are over when it is told. */
function eventsByTurn(events) {
  const told = [];
  for (const { kind, data } of events) {
    if (kind === "loop-started") told[0] = [{ kind, data }];
    if (kind === "iteration-recorded") told.push([{ kind, data }]);
    if (kind === "loop-decided") told.at(-1).push({ kind, data });
  }
  return told;
}

/** The files of each turn, and those of the end, as they are written together. */
function batchesOf(folder) {
  const batches = new Map();
  for (const name of readdirSync(folder).sort()) {
    const batch = /^turn_\d+/.exec(name)?.[0] ?? "end";
    const files = batches.get(batch) ?? [];
    batches.set(batch, [...files, { name, content: readFileSync(join(folder, name), "utf8") }]);
  }
  return [...batches.values()];
}
