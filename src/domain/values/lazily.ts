/** Builds the value on first use, and once: importing a module must not pay for what is expensive to build. */
export function lazily<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
