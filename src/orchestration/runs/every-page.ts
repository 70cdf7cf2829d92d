/** Reads a list page by page, however long it is; `next` gets the last row of the page before. */
export async function* everyPage<T>(
  size: number,
  next: (last: T | undefined) => Promise<readonly T[]>,
): AsyncGenerator<T> {
  for (let last: T | undefined; ; ) {
    const page = await next(last);
    yield* page;
    if (page.length < size) return;
    last = page.at(-1);
  }
}
