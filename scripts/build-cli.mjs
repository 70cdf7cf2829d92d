// Bundles the command line (dist/bin) and the library (dist/lib). What only some commands need is imported
// dynamically, so it ends up in a chunk of its own. Names and lines are kept: stack traces show our functions.
import { chmodSync, copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import { dts } from "rolldown-plugin-dts";

/** The ES modules of yaml, which it offers to browsers only: a bundle takes from them only what we use. */
const yaml = fileURLToPath(new URL("../browser/index.js", import.meta.resolve("yaml")));
/** Graphile Worker would search the working folder for a configuration, which may be a program. */
const cosmiconfig = fileURLToPath(new URL("no-cosmiconfig.mjs", import.meta.url));
/** Native, or installed only where it is used. */
const { dependencies, peerDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
const external = [...Object.keys(dependencies), ...Object.keys(peerDependencies)];
const library = { index: "src/index", testing: "src/testing/index" };

await bundle("dist/bin", { signoff: "src/cli/main.ts", program: "src/cli/program.ts" });
chmodSync("dist/bin/signoff.js", 0o755);
await bundle("dist/lib", { index: `${library.index}.ts`, testing: `${library.testing}.ts` });
await build({
  input: { "node-version": "src/domain/values/node-version.ts" },
  output: { dir: "dist/lib", format: "cjs", entryFileNames: "[name].cjs" },
});
for (const [name, source] of Object.entries(library)) {
  writeFileSync(`dist/lib/${name}.cjs`, requireEntry(name));
  await bundleTypes(name, `dist/${source}.d.ts`);
}

function bundle(dir, input) {
  return build({
    input,
    platform: "node",
    external,
    resolve: { alias: { yaml, cosmiconfig } },
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

/** For `require`: the same modules, behind the version check, because an older Node cannot require ES modules. */
function requireEntry(name) {
  return `require("./node-version.cjs").requireNode(process.versions.node);\nmodule.exports = require("./${name}.js");\n`;
}

/** One file of declarations that imports no package, for ES modules and for CommonJS. */
async function bundleTypes(name, input) {
  await build({
    input: { [name]: input },
    external: /^[^./]/,
    checks: { pluginTimings: false },
    plugins: [dts({ dtsInput: true })],
    output: { dir: "dist/lib", format: "esm" },
  });
  copyFileSync(`dist/lib/${name}.d.ts`, `dist/lib/${name}.d.cts`);
}
