import type { Clock } from "../ports/clock.ts";

const mostKept = 20;

/**
 * Summing up costs may take long, and screens ask again with each change. A result is cached for twenty times as long
 * as it took, so at most a twentieth of the time is spent on it.
 */
export function rememberBriefly<K, V>(
  clock: Clock,
  load: (key: K) => Promise<V>,
): (key: K) => Promise<V> {
  const kept = new Map<K, { readonly value: V; readonly until: number }>();
  return async (key) => {
    const before = clock.monotonic();
    const known = kept.get(key);
    if (known !== undefined && before < known.until) return known.value;
    const value = await load(key);
    const after = clock.monotonic();
    if (kept.size >= mostKept) kept.clear();
    kept.set(key, { value, until: after + (after - before) * 20 });
    return value;
  };
}
