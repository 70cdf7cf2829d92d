import { existsSync } from "node:fs";
import { writeFilesAtomically } from "../../adapters/workspace/atomic-files.ts";
import { configPath, saveConfigValue } from "../../adapters/workspace/config-file.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";

export function configFileOf(root: string): { readonly path: string; readonly exists: boolean } {
  const path = configPath(root);
  return { path, exists: existsSync(path) };
}

export { saveConfigValue as changeConfig };

/** Writes the first `signoff.yaml` of a project; never overwrites an existing one. */
export async function createConfig(root: string, text: string): Promise<string> {
  const { path, exists } = configFileOf(root);
  if (exists) {
    throw new ConfigurationError(`${path} already exists; nothing was changed.`, {
      code: "already-initialized",
      facts: { path },
      hint: "Show it with `signoff config show`, change it with `signoff config set`.",
    });
  }
  await writeFilesAtomically([{ path, content: text }]);
  return path;
}
