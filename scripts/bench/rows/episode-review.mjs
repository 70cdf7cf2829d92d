import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { inFolder, interleaved } from "../measure.mjs";
import { cli, timeNode } from "../processes.mjs";

const rounds = 11;
const review = [
  ...["episode", "review", "--fake-runner"],
  ...["--asset-id", "description", "--max-iterations", "2"],
];

/** A whole process: a new workspace, two turns, every file on disk. */
export function episodeReview() {
  return inFolder(async (home) => {
    const { bare, whole } = await interleaved(rounds, {
      bare: () => timeNode(["-e", "0"], { cwd: home }),
      whole: () => timeNode([cli, ...review], { cwd: mkdtempSync(join(home, "new-")) }),
    });
    const figure = "episode review --fake-runner, two turns";
    return [{ figure, unit: "ms", ours: whole, bound: bare, boundIs: "node -e 0", target: 14 }];
  });
}
