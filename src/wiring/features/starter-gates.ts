import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { shippedFolder } from "../../adapters/workspace/shipped-folder.ts";

/** The built-in gates, by their path below a gate folder. */
export async function loadStarterGates(): Promise<
  readonly { readonly path: string; readonly content: string }[]
> {
  const folder = shippedFolder("gates", "prose");
  const entries = await readdir(folder, { recursive: true });
  const names = entries.filter((name) => name.endsWith(".md")).sort();
  return Promise.all(
    names.map(async (path) => ({ path, content: await readFile(join(folder, path), "utf8") })),
  );
}
