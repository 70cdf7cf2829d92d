// Runs one loop and dies like a process without power before the given turn.
import { openLoops } from "../loops.mjs";

const [folder, turns, diesAt] = process.argv
  .slice(2)
  .map((text, at) => (at === 0 ? text : Number(text)));
const onCall = ({ role, task }) => {
  if (role === "creator" && task.iteration === diesAt) process.kill(process.pid, "SIGKILL");
};
await openLoops(folder, { onCall, withFiles: true }).runLoop(turns, `script:bench/${turns}`);
