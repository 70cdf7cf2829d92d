import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * Medians of several works taken in turn, so that whatever else the machine does hits all of them alike. Each
 * work returns its own figure; the first round only warms up.
 */
export async function interleaved(rounds, works) {
  const figures = Object.fromEntries(Object.keys(works).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, work] of Object.entries(works)) {
      const figure = await work(round);
      if (round > 0) figures[name].push(figure);
    }
  }
  return Object.fromEntries(
    Object.entries(figures).map(([name, values]) => [name, median(values)]),
  );
}

/** Milliseconds of a work. */
export async function timed(work) {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** A folder that is gone afterwards. */
export async function inFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), "signoff-bench-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
