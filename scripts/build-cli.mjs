// Bundles the command line into dist/bin: one small entry and chunks that load only when a command needs them.
import { chmodSync, rmSync } from "node:fs";
import { build } from "rolldown";

rmSync("dist/bin", { recursive: true, force: true });
await build({
  input: { signoff: "dist/src/cli/main.js" },
  platform: "node",
  external: [/^node:/, "better-sqlite3"],
  output: {
    dir: "dist/bin",
    format: "esm",
    minify: true,
    chunkFileNames: "chunks/[name]-[hash].js",
  },
});
chmodSync("dist/bin/signoff.js", 0o755);
