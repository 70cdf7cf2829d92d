// Bundles the command line into dist/bin and the library into dist/lib: what a start or an import needs is in few
// files, and what only some calls need is in chunks that load later. The types are those of dist/src.
import { chmodSync, existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
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
  finish(dir) {
    writeFileSync(`${dir}/package.json`, '{ "type": "commonjs" }\n');
    chmodSync(`${dir}/signoff.js`, 0o755);
  },
});

await bundle({
  input: { index: "dist/src/index.js", testing: "dist/src/testing/index.js" },
  output: { dir: "dist/lib", format: "esm", minify: "dce-only", chunkFileNames },
});

/** Takes the place of the last build when it is whole: a program that is started meanwhile is one of the two. */
async function bundle({ input, output, finish = () => undefined }) {
  const { dir } = output;
  const [fresh, last] = [`${dir}.new`, `${dir}.last`];
  for (const left of [fresh, last]) rmSync(left, { recursive: true, force: true });
  await build({ ...shared, input, output: { ...output, dir: fresh } });
  finish(fresh);
  if (existsSync(dir)) renameSync(dir, last);
  renameSync(fresh, dir);
  rmSync(last, { recursive: true, force: true });
}
