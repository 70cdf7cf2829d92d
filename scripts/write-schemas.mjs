// Writes the JSON Schemas of manifests and artifacts into schemas/. With --check, only compares them.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { publishedSchemas } from "../dist/src/contract/artifacts/published-schemas.js";
import { publishedReplies } from "../dist/src/protocol/scenarios/published-replies.js";

const check = process.argv.includes("--check");
mkdirSync("schemas", { recursive: true });
const stale = [];
for (const [name, schema] of [...publishedSchemas(), ...publishedReplies()]) {
  const path = `schemas/${name}`;
  const text = `${JSON.stringify(schema, null, 2)}\n`;
  if (!check) writeFileSync(path, text);
  else if (readFileSync(path, "utf8") !== text) stale.push(path);
}
if (stale.length > 0) {
  process.stderr.write(
    `Not up to date: ${stale.join(", ")}. Run node scripts/write-schemas.mjs.\n`,
  );
  process.exitCode = 1;
}
