/** The sum of these amounts; unknown if any of them is. */
export function sumOf(amounts: readonly (number | undefined)[]): number | undefined {
  let sum = 0;
  for (const amount of amounts) {
    if (amount === undefined) return undefined;
    sum += amount;
  }
  return sum;
}

/**
 * What is known of a total that lacks the amounts of so many calls: a lower bound, or nothing at all. Never 0, which
 * would read as free.
 */
export function atLeast(sum: number, missing: number): number | undefined {
  return sum === 0 && missing > 0 ? undefined : sum;
}
