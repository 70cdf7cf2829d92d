// Writes schemas/episode-*.schema.json from the compiled shapes. Needs `tsc -b` first.
import { mkdirSync, writeFileSync } from "node:fs";
import { episodeJsonSchemas } from "../dist/src/contract/episodes/schemas.js";

const folder = new URL("../schemas/", import.meta.url);
mkdirSync(folder, { recursive: true });
for (const [name, schema] of Object.entries(episodeJsonSchemas())) {
  writeFileSync(new URL(`${name}.schema.json`, folder), `${JSON.stringify(schema, null, 2)}\n`);
}
