// Runs loops for a tracer: the engine with a flow that only asks ("calls"), a drafting loop ("draft"), or bare commits.
import { openBareStore } from "../bound.mjs";
import { openLoops } from "../loops.mjs";

const [folder, what, turns] = process.argv.slice(2);
const replies = Array.from({ length: Number(turns) * 2 }, (_, at) =>
  `${at} `.repeat(1_000).slice(0, 3_000),
);
if (what === "bare") {
  const bare = openBareStore(folder);
  replies.forEach(bare.record);
  bare.close();
} else {
  const loops = openLoops(folder);
  await (what === "calls" ? loops.runTwoCalls(replies) : loops.runLoop(Number(turns)));
  loops.close();
}
