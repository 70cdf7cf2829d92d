import { openBareStore } from "../bound.mjs";
import { openLoops } from "../loops.mjs";
import { inFolder, interleaved, timed } from "../measure.mjs";
import { recordedReplies } from "../recorded-replies.mjs";

const turns = 100;
const rounds = 15;

/**
 * One loop alone, no record files, against two synced commits of the same replies: first the engine and the store
 * with a flow that only asks, then the whole drafting turn with its reading, checking and judging.
 */
export function durableIteration() {
  return inFolder(async (folder) => {
    const loops = openLoops(folder);
    const bare = openBareStore(folder);
    const replies = recordedReplies(loops.path, await loops.runLoop(turns));
    const perIteration = async (work) => ((await timed(work)) * 1000) / turns;
    const { journal, turn, bound } = await interleaved(rounds, {
      journal: () => perIteration(() => loops.runTwoCalls(replies)),
      turn: () => perIteration(() => loops.runLoop(turns)),
      bound: () => perIteration(() => replies.forEach(bare.record)),
    });
    loops.close();
    bare.close();
    const boundIs = "two FULL commits of the same replies";
    return [
      { figure: "two recorded calls", unit: "µs", ours: journal, bound, boundIs, target: 2 },
      {
        figure: "drafting turn",
        unit: "µs",
        ours: turn,
        bound,
        boundIs: `${boundIs}; a target of our own`,
        target: 6.5,
      },
    ];
  });
}
