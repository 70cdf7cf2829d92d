interface Started<R> {
  readonly ended: Promise<void>;
  settled?: PromiseSettledResult<R>;
}

/** How many results may wait behind a slow one, per place of the window. */
const resultsAhead = 4;

/**
 * Processes a stream with at most `window` items in progress and yields the results in order. After an item fails, or
 * its result `holdsBack`, no new item starts until that one has been yielded. If the caller leaves early, items in
 * progress are awaited.
 */
export async function* inWindow<T, R>(
  items: Iterable<T> | AsyncIterable<T>,
  how: {
    readonly window: number;
    readonly work: (item: T) => Promise<R>;
    readonly holdsBack: (result: R) => boolean;
  },
): AsyncGenerator<R> {
  const { window, work, holdsBack } = how;
  const stream = streamOf(items);
  const started: Started<R>[] = [];
  let isOver = false;
  const running = (): readonly Started<R>[] =>
    started.filter(({ settled }) => settled === undefined);
  const isHeldBack = ({ settled }: Started<R>): boolean =>
    settled !== undefined && (settled.status === "rejected" || holdsBack(settled.value));
  const mayStart = (): boolean =>
    !isOver &&
    running().length < window &&
    started.length < window * resultsAhead &&
    !started.some(isHeldBack);
  try {
    for (;;) {
      const head = started[0];
      if (head?.settled !== undefined) {
        started.shift();
        if (head.settled.status === "rejected") throw head.settled.reason;
        yield head.settled.value;
        continue;
      }
      while (mayStart()) {
        const next = await stream.next();
        if (next.done === true) isOver = true;
        else started.push(start(next.value, work));
      }
      if (started.length === 0) return;
      if (started[0]?.settled === undefined)
        await Promise.race(running().map(({ ended }) => ended));
    }
  } finally {
    await Promise.all(started.map(({ ended }) => ended));
    await stream.return?.();
  }
}

function start<T, R>(item: T, work: (item: T) => Promise<R>): Started<R> {
  const one: Started<R> = {
    ended: Promise.allSettled([work(item)]).then(([settled]) => {
      one.settled = settled;
    }),
  };
  return one;
}

function streamOf<T>(items: Iterable<T> | AsyncIterable<T>): AsyncIterator<T> | Iterator<T> {
  return Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
}
