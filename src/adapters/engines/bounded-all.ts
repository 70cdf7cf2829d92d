/** Like `Promise.all` over a mapping, with at most `most` running; the first failure is thrown after all have settled. */
export async function boundedAll<T, R>(
  items: readonly T[],
  most: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: PromiseSettledResult<R>[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const index = next;
      next += 1;
      const [settled] = await Promise.allSettled([work(items[index] as T)]);
      results[index] = settled;
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker));
  return results.map((settled) => {
    if (settled.status === "rejected") throw settled.reason;
    return settled.value;
  });
}
