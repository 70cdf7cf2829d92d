/** Made when it is first needed, and once: what is dear to make must not be paid for by whoever only imports it. */
export function lazily<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
