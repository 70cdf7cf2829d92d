import { openLoops } from "../loops.mjs";
import { inFolder, interleaved } from "../measure.mjs";
import { cli, timeNode } from "../processes.mjs";

const rounds = 21;

/** Whole processes, from the start to the end. The project has a store without runs. */
export function startUp() {
  return inFolder(async (cwd) => {
    openLoops(cwd).close();
    const { bare, version, help, list } = await interleaved(rounds, {
      bare: () => timeNode(["-e", "0"], { cwd }),
      version: () => timeNode([cli, "--version"], { cwd }),
      help: () => timeNode([cli, "--help"], { cwd }),
      list: () => timeNode([cli, "runs", "list"], { cwd }),
    });
    const against = { unit: "ms", bound: bare, boundIs: "node -e 0" };
    return [
      { figure: "signoff --version", ours: version, ...against, target: 1.3 },
      { figure: "signoff --help", ours: help, ...against, target: 2 },
      { figure: "signoff runs list", ours: list, ...against, target: 4.5 },
    ];
  });
}
