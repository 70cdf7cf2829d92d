import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { WorkflowError } from "../domain/values/workflow-error.ts";

/** The gates that come with the program, by their path below a gate folder. */
export async function loadStarterGates(): Promise<
  readonly { readonly path: string; readonly content: string }[]
> {
  const folder = findShipped();
  const entries = await readdir(folder, { recursive: true });
  const names = entries.filter((name) => name.endsWith(".md")).sort();
  return Promise.all(
    names.map(async (path) => ({ path, content: await readFile(join(folder, path), "utf8") })),
  );
}

/** The package's own folder, wherever this file was bundled to. */
function findShipped(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const gates = join(folder, "gates", "prose");
    if (existsSync(join(folder, "package.json")) && existsSync(gates)) return dirname(gates);
    if (dirname(folder) === folder) break;
  }
  throw new WorkflowError("The starter gates are not installed.", { code: "starter-missing" });
}
