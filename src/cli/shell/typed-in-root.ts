import { relative } from "node:path";
import { shellWord } from "../../domain/values/shell-word.ts";
import { realPath } from "../../wiring/project/project-root.ts";
import type { CliContext } from "./cli-context.ts";

/** Turns a command with paths from the project's folder into one that works unchanged in the user's folder. */
export function typedInRoot({ cwd }: Pick<CliContext, "cwd">, root: string) {
  const place = relative(realPath(cwd), realPath(root));
  return (command: string): string =>
    place === "" ? command : `(cd ${shellWord(place)} && ${command})`;
}
