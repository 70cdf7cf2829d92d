// Bundles the command line into dist/bin and the library into dist/lib: what a start or an import needs is in few
// files, and what only some calls need is in chunks that load later. The types are those of dist/src.
import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import { lateRequires } from "./late-requires.mjs";

/** The package's ES modules, which it offers to everybody but Node: a bundle takes of them only what we use. */
const yaml = fileURLToPath(new URL("../browser/index.js", import.meta.resolve("yaml")));
const zod = fileURLToPath(new URL("./bundled-zod.mjs", import.meta.url));

const shared = {
  platform: "node",
  external: [/^node:/, "better-sqlite3"],
  // Runners are loaded late in wiring although the flow has some of their parts already.
  checks: { ineffectiveDynamicImport: false },
  plugins: [lateRequires],
};

await bundle({
  input: { signoff: "dist/src/cli/main.js" },
  alias: { yaml, zod$: zod },
  dir: "dist/bin",
  minify: true,
});
chmodSync("dist/bin/signoff.js", 0o755);

await bundle({
  input: { index: "dist/src/index.js", testing: "dist/src/testing/index.js" },
  // Not our zod: its settings are the process's, which is the user's.
  alias: { yaml },
  dir: "dist/lib",
  // A user's stack traces and profiles show these names.
  minify: { mangle: false, compress: false, codegen: { removeWhitespace: true } },
});

/** CommonJS because Node starts a required file sooner than an imported one, and can load another in mid-call. */
async function bundle({ input, alias, dir, minify }) {
  rmSync(dir, { recursive: true, force: true });
  const output = { dir, format: "cjs", minify, chunkFileNames: "chunks/[name]-[hash].js" };
  await build({ ...shared, input, resolve: { alias }, output });
  writeFileSync(`${dir}/package.json`, '{ "type": "commonjs" }\n');
}
