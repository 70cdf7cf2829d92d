// Loaded before the program (node --import): at each wanted moment of the crash log, copies the folder the program
// works in. The program is paused meanwhile, so a copy is what a kill at that moment would leave on the disk.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { env } from "node:process";

const { SIGNOFF_CRASH_LOG: log, KEEP_MOMENTS = "", KEEP_STATES_IN: place } = env;
const wanted = new Set(KEEP_MOMENTS.split(" "));
const reached = new Map();
const append = fs.appendFileSync;
fs.appendFileSync = (path, text) => {
  append(path, text);
  if (path !== log) return;
  const point = text.trim();
  const time = (reached.get(point) ?? 0) + 1;
  reached.set(point, time);
  const moment = `${point}:${time}`;
  if (wanted.has(moment)) fs.cpSync(process.cwd(), `${place}/${moment}`, { recursive: true });
};
syncBuiltinESMExports();
