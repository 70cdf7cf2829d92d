import { inFolder } from "../measure.mjs";
import { pathOf, runNode } from "../processes.mjs";

/** Resident memory of a process that has run many short loops. */
export async function memory() {
  const after = (loops) =>
    inFolder((folder) => {
      const child = runNode([pathOf("./children/many-loops.mjs"), folder, String(loops)]);
      if (child.status !== 0) throw new Error(child.stderr);
      return Number(child.stdout) / 1_000_000;
    });
  const limited = (loops, ours) => ({
    figure: `memory after ${loops} loops`,
    unit: "MB",
    ours,
    bound: 110,
    boundIs: "the limit we set",
    target: 1,
  });
  const many = await after(2_000);
  return [
    limited("200", await after(200)),
    limited("2,000", many),
    {
      figure: "the same, growth",
      unit: "MB",
      ours: many,
      bound: await after(1_000),
      boundIs: "after 1,000 loops",
      target: 1.15,
    },
  ];
}
