import { readFileSync } from "node:fs";
import { openLoops } from "../loops.mjs";
import { inFolder, interleaved } from "../measure.mjs";
import { cli, pathOf, timeNode } from "../processes.mjs";

const rounds = 21;

/** Whole processes, from start to end. The project has a store without runs. */
export function startUp() {
  const { exports } = JSON.parse(readFileSync(pathOf("../../package.json"), "utf8"));
  const library = pathOf(`../../${exports["."].import.default}`);
  const importing = ["--input-type=module", "-e", `import ${JSON.stringify(library)}`];
  return inFolder(async (cwd) => {
    openLoops(cwd).close();
    const { bare, version, help, list, imported } = await interleaved(rounds, {
      bare: () => timeNode(["-e", "0"], { cwd }),
      version: () => timeNode([cli, "--version"], { cwd }),
      help: () => timeNode([cli, "--help"], { cwd }),
      list: () => timeNode([cli, "runs", "list"], { cwd }),
      imported: () => timeNode(importing, { cwd }),
    });
    const against = { unit: "ms", bound: bare, boundIs: "node -e 0" };
    return [
      { figure: "signoff --version", ours: version, ...against, target: 1.3 },
      { figure: "signoff --help", ours: help, ...against, target: 2.5 },
      { figure: "signoff runs list", ours: list, ...against, target: 3.5 },
      { figure: "import of the library", ours: imported, ...against, target: 4.5 },
    ];
  });
}
