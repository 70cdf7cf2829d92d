import { fileURLToPath } from "node:url";
import { ConfigurationError } from "../../../domain/values/workflow-error.ts";

/**
 * Loads a provider's package, which is installed only where it is used. It is looked for beside Signoff and never in
 * the project: a project's folder must not decide which code gets a key.
 */
export async function loadPackage<T>(spec: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (thrown) {
    const code = (thrown as { readonly code?: unknown } | null)?.code;
    if (code !== "ERR_MODULE_NOT_FOUND") throw thrown;
    const name = spec.slice(0, spec.lastIndexOf("@"));
    throw new ConfigurationError(`The package ${name} is not installed.`, {
      code: "package-missing",
      facts: { package: spec },
      hint: `Install it beside Signoff: \`${installCommand(spec, fileURLToPath(import.meta.url))}\``,
      cause: thrown,
    });
  }
}

/** The command that puts a package where a program in `here` finds it. */
export function installCommand(spec: string, here: string): string {
  const [outer, inner] = here.split(/\/node_modules\/signoff\//u);
  if (outer === undefined || inner === undefined) return `npm install ${spec}`;
  if (outer.endsWith("/lib")) return `npm install --global ${spec}`;
  return `npm install --prefix ${/^[\w/.@-]+$/u.test(outer) ? outer : JSON.stringify(outer)} ${spec}`;
}
