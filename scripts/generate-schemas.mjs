// Writes schemas/*.schema.json from the compiled shapes; with --check it only compares. Needs `tsc -b` first.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { configJsonSchema } from "../dist/src/contract/config/config-json-schema.js";

const schemas = { signoff: configJsonSchema };

const folder = new URL("../schemas/", import.meta.url);
const isCheck = process.argv.includes("--check");
const stale = [];
mkdirSync(folder, { recursive: true });
for (const [name, describe] of Object.entries(schemas)) {
  const file = new URL(`${name}.schema.json`, folder);
  const text = `${JSON.stringify(describe(), null, 2)}\n`;
  if (!isCheck) writeFileSync(file, text);
  else if (read(file) !== text) stale.push(`schemas/${name}.schema.json`);
}
if (stale.length > 0) {
  console.error(`Out of date: ${stale.join(", ")}. Run: node scripts/generate-schemas.mjs`);
  process.exit(1);
}

function read(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
