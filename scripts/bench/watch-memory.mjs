import { pathOf } from "./processes.mjs";

/** For the command line of a node process: when it exits, it prints the most memory that it ever held. */
export const watchMemory = ["--import", pathOf("./children/watch-memory.mjs")];

/** In megabytes, from what a watched process printed. */
export function heldMemory(printed) {
  const found = /\nheld (\d+) MB\n/u.exec(printed)?.[1];
  if (found === undefined) throw new Error(printed);
  return Number(found);
}
