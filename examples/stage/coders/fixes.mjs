// A coder that repairs: it reads the prompt, finds which problems are named, and removes their cause.
import { readFileSync, writeFileSync } from "node:fs";

const file = "examples/stage/assistant-defects.txt";
const causes = {
  technical_garbage_gap: "garbage",
  edge_carryover_gap: "carryover",
  temporal_honesty_gap: "temporal",
  direct_answer_gap: "direct-answer",
};

const prompt = readFileSync(0, "utf8");
const named = Object.keys(causes).filter((problem) => prompt.includes(problem));
const before = readFileSync(file, "utf8");
const lines = before.split("\n").filter((line) => !named.some((problem) => causes[problem] === line.trim()));
const after = lines.join("\n");
if (after !== before) writeFileSync(file, after);
console.log(
  JSON.stringify({
    coder_status: after === before ? "no_change" : "patched",
    summary: `repaired ${named.join(", ")}`,
    changed_files: after === before ? [] : [file],
    decision_needed: null,
  }),
);
