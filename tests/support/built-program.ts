import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "rolldown";

/** Bundles a program into a folder, so that it can run as a separate process. Returns its path there. */
export async function builtProgram(source: URL, folder: string): Promise<string> {
  const sqlite = pathToFileURL(createRequire(import.meta.url).resolve("better-sqlite3")).href;
  const input = fileURLToPath(source);
  await build({
    input,
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
  return join(folder, `${basename(input, ".ts")}.mjs`);
}
