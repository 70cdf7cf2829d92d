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
  return [
    {
      figure: "memory after 2,000 loops",
      unit: "MB",
      ours: await after(2_000),
      bound: await after(1_000),
      boundIs: "after 1,000 loops",
      target: 1.15,
    },
  ];
}
