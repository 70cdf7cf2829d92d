// Runs many short loops one after another, four at a time, and prints how much memory the process holds.
import { keepMemorySteady } from "../../../dist/src/cli/shell/steady-memory.js";
import { openLoops } from "../loops.mjs";

const [folder, count] = process.argv.slice(2);
// As `draft --batch` does.
keepMemorySteady();
const loops = openLoops(folder);
const turns = 2;
const atOnce = 4;
for (let done = 0; done < Number(count); done += atOnce) {
  await Promise.all(Array.from({ length: atOnce }, () => loops.runLoop(turns)));
}
console.log(process.memoryUsage.rss());
loops.close();
