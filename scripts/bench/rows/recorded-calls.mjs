import { openBareStore } from "../bound.mjs";
import { openLoops } from "../loops.mjs";
import { inFolder, interleaved, timed } from "../measure.mjs";
import { recordedReplies } from "../recorded-replies.mjs";

const loopsAtOnce = 20;
const turns = 40;
const rounds = 9;

/** Two calls recorded by engine and store, one loop alone and twenty at once, against bare synced commits. */
export function recordedCalls() {
  return inFolder(async (folder) => {
    const loops = openLoops(folder);
    const bare = openBareStore(folder);
    const replies = recordedReplies(loops.path, await loops.runLoop(turns));
    const perTurn = async (loopCount, work) => {
      const all = () => Promise.all(Array.from({ length: loopCount }, work));
      return ((await timed(all)) * 1000) / (loopCount * turns);
    };
    const { alone, together, turn, bound } = await interleaved(rounds, {
      alone: () => perTurn(1, () => loops.runTwoCalls(replies)),
      together: () => perTurn(loopsAtOnce, () => loops.runTwoCalls(replies)),
      turn: () => perTurn(1, () => loops.runLoop(turns)),
      bound: () => perTurn(1, () => replies.forEach(bare.record)),
    });
    loops.close();
    bare.close();
    const against = { unit: "µs", bound, boundIs: "two FULL commits of the same replies" };
    return [
      { figure: "two recorded calls", ours: alone, ...against, target: 2 },
      { figure: "two recorded calls, 20 loops at once", ours: together, ...against, target: 1.1 },
      { figure: "drafting turn", ours: turn, ...against, target: 6.5 },
    ];
  });
}
