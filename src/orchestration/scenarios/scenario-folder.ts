/** Where a scenario of a pack has its files, below the pack's folder; repeats are counted from 1. */
export function scenarioFolder(scenarioId: string, repeat: number): string {
  const home = `scenarios/${scenarioId}`;
  return repeat === 1 ? home : `${home}/repeats/${repeat}`;
}
