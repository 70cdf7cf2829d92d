/** The known name with the fewest edits, if it is close enough to be a typing error. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const scored = known
    .map((one) => ({ one, edits: editDistance(name.toLowerCase(), one.toLowerCase()) }))
    .sort((left, right) => left.edits - right.edits);
  const best = scored[0];
  return best !== undefined && best.edits <= Math.max(2, Math.floor(name.length / 3))
    ? best.one
    : undefined;
}

function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [i, a] of [...left.slice(0, 80)].entries()) {
    const next = [i + 1];
    for (const [j, b] of [...right].entries()) {
      next.push(
        Math.min((row[j] ?? 0) + (a === b ? 0 : 1), (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1),
      );
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
