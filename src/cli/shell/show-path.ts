import { relative, resolve } from "node:path";
import { visibleLine } from "../../domain/values/visible.ts";
import { realPath } from "../../wiring/project/project-root.ts";
import type { CliContext } from "./cli-context.ts";

/** Paths as they can be typed in the working directory; a name has one line, whatever is in it. */
export type ShowPath = (path: string) => string;

export function pathsFor({ cwd: typed }: Pick<CliContext, "cwd">, project: string): ShowPath {
  const [cwd, root] = [realPath(typed), realPath(project)];
  const shown = (path: string) => (cwd === root ? path : relative(cwd, resolve(root, path)) || ".");
  return (path) => visibleLine(shown(path));
}
