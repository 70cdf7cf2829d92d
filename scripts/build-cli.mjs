// Bundles the command line (dist/bin) and the library (dist/lib). What only some commands need is imported
// dynamically, so it ends up in a chunk of its own. Names and lines are kept: stack traces show our functions.
import { chmodSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

/** The ES modules of yaml, which it offers to browsers only: a bundle takes from them only what we use. */
const yaml = fileURLToPath(new URL("../browser/index.js", import.meta.resolve("yaml")));

await bundle("dist/bin", { signoff: "src/cli/main.ts" });
chmodSync("dist/bin/signoff.js", 0o755);
await bundle("dist/lib", { index: "src/index.ts", testing: "src/testing/index.ts" });

async function bundle(dir, input) {
  await build({
    input,
    platform: "node",
    external: ["better-sqlite3"],
    resolve: { alias: { yaml } },
    // Some modules are imported both ways: statically by commands that always need them, dynamically by others.
    checks: { ineffectiveDynamicImport: false },
    output: {
      dir,
      cleanDir: true,
      format: "esm",
      chunkFileNames: "chunks/[name]-[hash].js",
      comments: { jsdoc: false },
    },
  });
}
