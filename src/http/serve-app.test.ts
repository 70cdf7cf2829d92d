import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, it } from "vitest";

/** Counts in a heap of its own: the heap of the tests is large, and each count walks through all of it. */
it("keeps nothing of what an open event stream has sent, and ends its work with the connection", async () => {
  const worker = new Worker(new URL("../../tests/support/carry-events.ts", import.meta.url));
  const [seen] = (await once(worker, "message")) as [{ readonly kept: number }];
  expect(seen).toEqual({
    status: 200,
    type: "text/event-stream; charset=utf-8",
    kept: expect.any(Number),
    isOver: true,
  });
  expect(seen.kept).toBeLessThan(100);
});
