import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { WorkflowError } from "../../domain/values/workflow-error.ts";

/** A folder of the package itself, wherever this code was bundled to, known by a file that it holds. */
export function shippedFolder(name: string, witness: string): string {
  const start = dirname(fileURLToPath(import.meta.url));
  for (let folder = start; folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, name, witness))) return join(folder, name);
  }
  throw new WorkflowError(`The package lacks its folder ${name}.`, {
    code: "package-incomplete",
    facts: { folder: name },
    hint: "Install signoff again.",
  });
}
