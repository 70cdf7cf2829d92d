import { expect, it } from "vitest";
import { RunnerError } from "../../domain/values/workflow-error.ts";
import { boundedAll } from "./bounded-all.ts";
import { inWindow } from "./in-window.ts";
import { storedError } from "./stored-error.ts";

/** Work whose items end when the test says so. */
function byHand() {
  const open = new Map<
    number,
    { readonly resolve: () => void; readonly reject: (error: Error) => void }
  >();
  const begun: number[] = [];
  const work = (item: number) =>
    new Promise<number>((resolve, reject) => {
      begun.push(item);
      open.set(item, { resolve: () => resolve(item * 10), reject });
    });
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    begun,
    work,
    settled,
    end: async (item: number) => {
      open.get(item)?.resolve();
      await settled();
    },
    fail: async (item: number) => {
      open.get(item)?.reject(new Error(`${item} failed`));
      await settled();
    },
  };
}

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

function streamed(count: number, window: number, holdsBack = (_: number) => false) {
  const hand = byHand();
  const yielded: number[] = [];
  let error: unknown;
  const done = (async () => {
    try {
      for await (const one of inWindow(numbers(count), { window, work: hand.work, holdsBack }))
        yielded.push(one);
    } catch (thrown) {
      error = thrown;
    }
  })();
  return { ...hand, yielded, done, error: () => error };
}

it("has at most the window in progress and yields in order", async () => {
  const { begun, settled, end, yielded, done } = streamed(4, 2);
  await settled();
  expect(begun).toEqual([1, 2]);
  await end(2);
  expect(begun).toEqual([1, 2, 3]);
  expect(yielded).toEqual([]);
  await end(1);
  expect(yielded).toEqual([10, 20]);
  await end(3);
  await end(4);
  await done;
  expect(yielded).toEqual([10, 20, 30, 40]);
});

it("runs no more than four results per place ahead of a slow one", async () => {
  const { begun, settled, end, done } = streamed(12, 2);
  await settled();
  for (const item of [2, 3, 4, 5, 6, 7, 8, 9]) await end(item);
  expect(begun).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  await end(1);
  expect(begun).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  for (const item of [9, 10, 11, 12]) await end(item);
  await done;
});

it("starts nothing after a failure, and throws it in its place after all others ended", async () => {
  const { begun, settled, end, fail, yielded, done, error } = streamed(5, 3);
  await settled();
  await fail(2);
  expect(begun).toEqual([1, 2, 3]);
  await end(1);
  expect(yielded).toEqual([10]);
  expect(error()).toBeUndefined();
  await end(3);
  await done;
  expect(error()).toEqual(new Error("2 failed"));
  expect(begun).toEqual([1, 2, 3]);
});

it("starts nothing while a result holds the others back", async () => {
  const { begun, settled, end, yielded, done } = streamed(4, 2, (result) => result === 20);
  await settled();
  await end(2);
  expect(begun).toEqual([1, 2]);
  await end(1);
  expect(yielded).toEqual([10, 20]);
  expect(begun).toEqual([1, 2, 3, 4]);
  await end(3);
  await end(4);
  await done;
});

it("awaits what is in progress and closes the stream when the caller leaves", async () => {
  const { begun, work, settled, end } = byHand();
  let isClosed = false;
  async function* items() {
    try {
      yield* numbers(5);
    } finally {
      isClosed = true;
    }
  }
  let hasLeft = false;
  const leaving = (async () => {
    for await (const _ of inWindow(items(), { window: 2, work, holdsBack: () => false })) break;
    hasLeft = true;
  })();
  await settled();
  await end(1);
  expect(hasLeft).toBe(false);
  for (const item of [...begun]) await end(item);
  await leaving;
  expect(isClosed).toBe(true);
});

it("maps with bounded concurrency, in order, and throws the first failure after all settled", async () => {
  const { begun, work, settled, end, fail } = byHand();
  let outcome: unknown;
  const all = boundedAll(numbers(4), 2, work).then(
    (results) => {
      outcome = results;
    },
    (error: unknown) => {
      outcome = error;
    },
  );
  await settled();
  expect(begun).toEqual([1, 2]);
  await fail(2);
  await fail(3);
  expect(begun).toEqual([1, 2, 3, 4]);
  await end(1);
  expect(outcome).toBeUndefined();
  await end(4);
  await all;
  expect(outcome).toEqual(new Error("2 failed"));
  expect(await boundedAll(numbers(3), 9, async (one) => one * 2)).toEqual([2, 4, 6]);
  expect(await boundedAll([], 2, work)).toEqual([]);
});

it("stores an error as data: a known one, one of the system, and a bug", () => {
  const known = new RunnerError("overloaded", { code: "busy", retryable: true, facts: { a: 1 } });
  expect(storedError(known)).toStrictEqual({
    code: "busy",
    message: "overloaded",
    retryable: true,
    facts: { a: 1 },
  });
  const hinted = new RunnerError("no key", { code: "no-key", facts: { a: 1 }, hint: "Set it." });
  expect(storedError(hinted)).toMatchObject({ facts: { a: 1, hint: "Set it." } });
  const system = Object.assign(new Error("disk full"), { syscall: "write" });
  expect(storedError(system)).toEqual({
    code: "system-failed",
    message: "disk full",
    retryable: false,
    facts: { hint: "Fix that, then resume the run." },
  });
  const bug = { message: "odd", retryable: false, facts: {}, code: "internal-error" };
  expect(storedError(new Error("odd"))).toEqual(bug);
  expect(storedError("odd")).toEqual(bug);
  expect(storedError(Object.assign(new Error("odd"), { syscall: 7 }))).toEqual(bug);
  expect(storedError({ syscall: "write" })).toMatchObject({ code: "internal-error" });
});
