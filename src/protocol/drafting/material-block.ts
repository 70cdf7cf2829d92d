/**
 * Untrusted text, fenced so that nothing in it can end the block: the fence is longer than any run
 * of the same character inside.
 */
export function materialBlock(name: string, text: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${name}\n${text}\n${fence}`;
}

function longestRun(text: string): number {
  if (!text.includes("`")) return 0;
  const runs = text.match(/`+/gu) ?? [];
  return runs.reduce((longest, run) => Math.max(longest, run.length), 0);
}
