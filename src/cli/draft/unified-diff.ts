import { createTwoFilesPatch } from "diff";

/** A patch as git would print it, without its two header lines of equals signs. */
export function renderUnifiedDiff(path: string, before: string, after: string): string {
  const patch = createTwoFilesPatch(`a/${path}`, `b/${path}`, before, after, "accepted", "now");
  return patch.replace(/^=+\n/, "");
}
