// Bundles the command line into dist/bin and the library into dist/lib: what a start or an import needs is in few
// files, and what only some calls need is in chunks that load later. The types are those of dist/src.
import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { build } from "rolldown";

const shared = {
  platform: "node",
  external: [/^node:/, "better-sqlite3"],
  // Runners are loaded late in wiring although the flow has some of their parts already.
  checks: { ineffectiveDynamicImport: false },
};
const chunkFileNames = "chunks/[name]-[hash].js";

await bundle({
  input: { signoff: "dist/src/cli/main.js" },
  // Node starts a required file 6 ms sooner than an imported one.
  output: { dir: "dist/bin", format: "cjs", minify: true, chunkFileNames },
});
writeFileSync("dist/bin/package.json", '{ "type": "commonjs" }\n');
chmodSync("dist/bin/signoff.js", 0o755);

await bundle({
  input: { index: "dist/src/index.js", testing: "dist/src/testing/index.js" },
  output: { dir: "dist/lib", format: "esm", minify: "dce-only", chunkFileNames },
});

function bundle({ input, output }) {
  rmSync(output.dir, { recursive: true, force: true });
  return build({ ...shared, input, output });
}
