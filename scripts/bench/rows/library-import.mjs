import { readFileSync } from "node:fs";
import { interleaved } from "../measure.mjs";
import { pathOf, timeNode } from "../processes.mjs";

const rounds = 15;

/** What `import "signoff"` costs a process. 60 ms on top of a bare start of 24 ms are 3.5 times the start. */
export async function libraryImport() {
  const { exports } = JSON.parse(readFileSync(pathOf("../../package.json"), "utf8"));
  const entry = pathOf(`../../${exports["."].default}`);
  const { bare, whole } = await interleaved(rounds, {
    bare: () => timeNode(["--input-type=module", "-e", "0"]),
    whole: () => timeNode(["--input-type=module", "-e", `import ${JSON.stringify(entry)}`]),
  });
  const boundIs = "a bare module";
  return [{ figure: "library import", unit: "ms", ours: whole, bound: bare, boundIs, target: 3.5 }];
}
