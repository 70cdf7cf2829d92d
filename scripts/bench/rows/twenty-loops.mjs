import { openBareStore } from "../bound.mjs";
import { openLoops } from "../loops.mjs";
import { inFolder, interleaved, timed } from "../measure.mjs";
import { recordedReplies } from "../recorded-replies.mjs";

const loopsAtOnce = 20;
const turns = 20;
const rounds = 9;

/** Wall time per iteration of twenty loops in one process, against one bare writer. */
export function twentyLoops() {
  return inFolder(async (folder) => {
    const loops = openLoops(folder);
    const bare = openBareStore(folder);
    const replies = recordedReplies(loops.path, await loops.runLoop(turns));
    const perIteration = async (work) => ((await timed(work)) * 1000) / (loopsAtOnce * turns);
    const atOnce = (work) => Promise.all(Array.from({ length: loopsAtOnce }, work));
    const { journal, turn, bound } = await interleaved(rounds, {
      journal: () => perIteration(() => atOnce(() => loops.runTwoCalls(replies))),
      turn: () => perIteration(() => atOnce(() => loops.runLoop(turns))),
      bound: () => perIteration(() => atOnce(() => replies.forEach(bare.record))),
    });
    loops.close();
    bare.close();
    const boundIs = "one bare writer, two FULL commits";
    return [
      { figure: "20 × two recorded calls", unit: "µs", ours: journal, bound, boundIs, target: 1.1 },
      {
        figure: "20 drafting loops",
        unit: "µs",
        ours: turn,
        bound,
        boundIs: `${boundIs}; a target of our own`,
        target: 3.2,
      },
    ];
  });
}
