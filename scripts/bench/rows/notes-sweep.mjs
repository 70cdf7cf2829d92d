import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { inFolder } from "../measure.mjs";
import { makeRepository } from "../notes-generator.mjs";
import { cli, peakMemory } from "../processes.mjs";

const gates = 50;

/** Pairs reviewed by a script, four calls at once, in a heap that could not hold what it has reviewed. */
export async function notesSweep() {
  const few = await sweep(100);
  const many = await sweep(400);
  return [
    {
      figure: "memory of a sweep of 20,000 pairs",
      unit: "MB",
      ours: many,
      bound: few,
      boundIs: "the same with 5,000 pairs",
      target: 1.3,
    },
  ];
}

function sweep(notes) {
  return inFolder((folder) => {
    const root = join(folder, "repository");
    const paths = [...makeRepository(root, { notes, gates }).keys()];
    const said = Object.fromEntries(
      paths
        .filter((path) => path.startsWith("signoff/gates/"))
        .map((path) => [path.slice("signoff/gates/".length, -3), "pass"]),
    );
    const reviews = Object.fromEntries(
      paths.filter((path) => path.startsWith("notes/")).map((path) => [path, said]),
    );
    writeFileSync(join(root, "reviews.json"), JSON.stringify({ reviews }));
    const review = [cli, "notes", "review", "--script", "reviews.json", "--yes", "--json"];
    return peakMemory(["--max-old-space-size=64", ...review], { cwd: root });
  });
}
