// Bundles the command line into dist/bin: one small entry and chunks that load only when a command needs them.
import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { build } from "rolldown";

const folder = "dist/bin";

rmSync(folder, { recursive: true, force: true });
await build({
  input: { signoff: "dist/src/cli/main.js" },
  platform: "node",
  external: [/^node:/, "better-sqlite3"],
  output: {
    dir: folder,
    // Node starts a required file 6 ms sooner than an imported one.
    format: "cjs",
    minify: true,
    chunkFileNames: "chunks/[name]-[hash].js",
  },
});
writeFileSync(`${folder}/package.json`, '{ "type": "commonjs" }\n');
chmodSync(`${folder}/signoff.js`, 0o755);
