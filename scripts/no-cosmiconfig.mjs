// Stands in for cosmiconfig in the bundle: Graphile Worker is configured by its caller alone.
export function cosmiconfigSync() {
  return { search: () => null };
}
