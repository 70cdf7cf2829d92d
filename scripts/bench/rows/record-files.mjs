import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openBareStore, writeFilesBarely } from "../bound.mjs";
import { openLoops } from "../loops.mjs";
import { inFolder, interleaved, timed } from "../measure.mjs";
import { recordedReplies } from "../recorded-replies.mjs";

const turns = 50;
const rounds = 9;

/** A loop that also keeps its readable record, against the same commits and the same files written atomically. */
export function recordFiles() {
  return inFolder(async (folder) => {
    const loops = openLoops(folder, { withFiles: true });
    const bare = openBareStore(folder);
    const run = await loops.runLoop(turns);
    const replies = recordedReplies(loops.path, run);
    const batches = batchesOf(join(folder, ".signoff", "runs", run));
    const perIteration = async (work) => ((await timed(work)) * 1000) / turns;
    const barely = (round) => {
      replies.forEach(bare.record);
      for (const batch of batches) {
        const target = join(folder, "bare", String(round));
        writeFilesBarely(batch.map(({ name, content }) => ({ path: join(target, name), content })));
      }
    };
    const { ours, bound } = await interleaved(rounds, {
      ours: () => perIteration(() => loops.runLoop(turns)),
      bound: (round) => perIteration(() => barely(round)),
    });
    loops.close();
    bare.close();
    const boundIs = "two FULL commits and the same files, written atomically";
    return [{ figure: "turn with record files", unit: "µs", ours, bound, boundIs, target: 1.5 }];
  });
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
