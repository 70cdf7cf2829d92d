import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "rolldown";

/** Makes a program of this folder run as a process of its own: bundled into another folder. Returns its path. */
export async function builtProgram(name: string, folder: string): Promise<string> {
  const sqlite = pathToFileURL(createRequire(import.meta.url).resolve("better-sqlite3")).href;
  await build({
    input: fileURLToPath(new URL(`./${name}.ts`, import.meta.url)),
    platform: "node",
    output: { dir: folder, format: "esm", entryFileNames: "[name].mjs" },
    plugins: [
      {
        name: "installed-sqlite",
        resolveId: (id) => (id === "better-sqlite3" ? { id: sqlite, external: true } : null),
      },
    ],
    logLevel: "silent",
  });
  return join(folder, `${name}.mjs`);
}
