/** Runs acts that read, decide and write one at a time, so that no other act writes in between. */
export function oneAfterTheOther(): <T>(act: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (act) => {
    const next = last.then(act, act);
    last = next.catch(() => undefined);
    return next;
  };
}
