import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inFolder } from "../measure.mjs";
import { pathOf, run } from "../processes.mjs";

const few = 50;
const many = 150;

/** Syncs per iteration as the kernel sees them, start and end of the process taken off. Needs strace. */
export async function syncs() {
  if (run("strace", ["-V"]).status !== 0) return [];
  const bound = await syncsPerTurn("bare");
  const boundIs = "two FULL commits, checkpoints included";
  return [
    {
      figure: "syncs per two calls",
      unit: "",
      ours: await syncsPerTurn("calls"),
      bound,
      boundIs,
      target: 1.1,
    },
    {
      figure: "syncs per drafting turn",
      unit: "",
      ours: await syncsPerTurn("draft"),
      bound,
      boundIs,
      target: 1.1,
    },
  ];
}

async function syncsPerTurn(what) {
  return ((await countSyncs(what, many)) - (await countSyncs(what, few))) / (many - few);
}

function countSyncs(what, turns) {
  return inFolder((folder) => {
    const trace = join(folder, "trace");
    const child = pathOf("./children/one-loop.mjs");
    const options = ["-f", "-e", "trace=fsync,fdatasync", "-o", trace];
    const loop = [process.execPath, child, folder, what, String(turns)];
    const traced = run("strace", [...options, ...loop]);
    if (traced.status !== 0) throw new Error(traced.stderr);
    return readFileSync(trace, "utf8").match(/^\d+ +f(?:data)?sync\(/gm)?.length ?? 0;
  });
}
