// Bundles the command line into dist/bin and the library into dist/lib: what a start or an import needs is in few
// files, and what only some calls need is in chunks that load later. The types are those of dist/src.
import { chmodSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import { asciiOnly } from "./ascii-only.mjs";
import { lateRequires } from "./late-requires.mjs";

/** The package's ES modules, which it offers to everybody but Node: a bundle takes of them only what we use. */
const yaml = fileURLToPath(new URL("../browser/index.js", import.meta.resolve("yaml")));
const zod = fileURLToPath(new URL("./bundled-zod.mjs", import.meta.url));

/**
 * Schemas are dear to build: each module of these folders that holds some is a chunk, so that only those in use are
 * built. Other folders' schemas need modules that need them again once they share chunks.
 */
const schemas = {
  debugName: "schemas",
  name: (id) => basename(id, ".js"),
  test: (id) => schemaFolders.test(id) && /from "zod"/.test(readFileSync(id, "utf8")),
  includeDependenciesRecursively: false,
};
const schemaFolders = /\/dist\/src\/contract\/(?:(?:config|episodes|files)\/|http\/rulings\.js$)/;

/** Patterns over tables of Unicode, dear to build: whoever reviews in JSON needs none of them. */
const approval = {
  name: "approval",
  test: /\/protocol\/drafting\/approval(?:-lexicon)?\.js$/,
  includeDependenciesRecursively: false,
};

/** Readers of notes need markdown's parser alone; what makes HTML of it is as large again. */
const markdown = [
  {
    name: "markdown-parser",
    test: /\/node_modules\/(?:remark-parse|remark-gfm|unified)\//,
    priority: 1,
  },
  { name: "markdown-processor", test: /\/markdown-processor\.js$/ },
];

const shared = {
  platform: "node",
  // Runners are loaded late in wiring although the flow has some of their parts already.
  checks: { ineffectiveDynamicImport: false },
  plugins: [lateRequires, asciiOnly],
};

// What starts kept of the last build; see src/wiring/project/compile-cache.ts.
rmSync("dist/compiled", { recursive: true, force: true });

await bundle({
  input: { signoff: "dist/src/cli/main.js" },
  alias: { yaml, zod$: zod },
  external: [/^node:/, "better-sqlite3"],
  preserveEntrySignatures: "allow-extension",
  // What the entry shares with chunks must not be in it: a chunk would start the program again to reach it.
  groups: [
    schemas,
    approval,
    ...markdown,
    { name: "version", test: /\/domain\/values\/version\.js$/ },
  ],
  dir: "dist/bin",
  minify: true,
  finish: (dir) => chmodSync(`${dir}/signoff.js`, 0o755),
});

await bundle({
  input: { index: "dist/src/index.js", testing: "dist/src/testing/index.js" },
  // Not our zod: its settings are the process's, which is the user's.
  alias: { yaml },
  external: [/^node:/, "better-sqlite3"],
  groups: [
    { name: "zod", test: /\/node_modules\/zod\//, priority: 1 },
    // What an import would else build although only the functions that read and write sessions need it.
    { name: "shapes", test: /\/contract\/files\/(?:values|usage|candidate|review|iteration)\.js$/ },
  ],
  dir: "dist/lib",
  // A user's stack traces and profiles show these names.
  minify: { mangle: false, compress: false, codegen: { removeWhitespace: true } },
});

/**
 * CommonJS because Node starts a required file sooner than an imported one, and can load another in mid-call. Takes
 * the place of the last build when it is whole: a program that is started meanwhile is one of the two.
 */
async function bundle({ alias, groups, dir, minify, finish = () => undefined, ...input }) {
  const [fresh, last] = [`${dir}.new`, `${dir}.last`];
  for (const left of [fresh, last]) rmSync(left, { recursive: true, force: true });
  const chunkFileNames = "chunks/[name]-[hash].js";
  const output = { dir: fresh, format: "cjs", minify, chunkFileNames, codeSplitting: { groups } };
  await build({ ...shared, ...input, resolve: { alias }, output });
  writeFileSync(`${fresh}/package.json`, '{ "type": "commonjs" }\n');
  finish(fresh);
  if (existsSync(dir)) renameSync(dir, last);
  renameSync(fresh, dir);
  rmSync(last, { recursive: true, force: true });
}
