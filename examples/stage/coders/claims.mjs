// A coder that only says so. Nothing is changed; a replay finds out.
import { readFileSync } from "node:fs";

readFileSync(0, "utf8");
console.log(
  JSON.stringify({
    coder_status: "patched",
    summary: "everything is repaired",
    changed_files: ["examples/stage/assistant-defects.txt"],
    decision_needed: null,
  }),
);
