import { shellWord } from "../values/shell-word.ts";

/**
 * A command without the program's name, as it is typed in a folder from which the workspace is `place`; undefined where
 * the workspace is found without being named.
 */
export function typedCommand(command: string, place: string | undefined): string {
  if (place === undefined) return `signoff ${command}`;
  const word = shellWord(place);
  if (command.startsWith("episode ")) return `signoff ${command} --workspace ${word}`;
  return `(cd ${word} && signoff ${command})`;
}
