/**
 * A text by somebody else, set apart so that nothing in it can end the block: the fence is longer than any run
 * of the same character inside.
 */
export function materialBlock(name: string, text: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${name}\n${text}\n${fence}`;
}

function longestRun(text: string): number {
  let longest = 0;
  let run = 0;
  for (let at = 0; at < text.length; at += 1) {
    run = text[at] === "`" ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}
