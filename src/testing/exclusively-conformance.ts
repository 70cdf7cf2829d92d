import { deepEqual, equal, rejects } from "node:assert/strict";
import type { Exclusively } from "../ports/exclusively.ts";
import { type ConformanceCase, testCase } from "./conformance-case.ts";

/** Several locks on one checkout, as several processes would open them. */
export interface ExclusivelySubject {
  open(): Exclusively;
}

/** What a lock for files guarantees. Run each case on a fresh checkout. */
export const exclusivelyConformance: readonly ConformanceCase<ExclusivelySubject>[] = [
  testCase("runs work under the same name one at a time", async (subject) => {
    const [mine, theirs] = [subject.open(), subject.open()];
    let running = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
    };
    await Promise.all([mine, theirs, mine, theirs].map((lock) => lock("notes", work)));
    equal(most, 1);
  }),
  testCase("does not block work under other names", async (subject) => {
    const lock = subject.open();
    const order: string[] = [];
    await lock("notes", async () => {
      order.push("notes");
      await lock("stages", async () => void order.push("stages"));
    });
    deepEqual(order, ["notes", "stages"]);
  }),
  testCase("returns the work's result and releases the lock on errors", async (subject) => {
    const lock = subject.open();
    const failing = lock("notes", async () => {
      throw new Error("disk full");
    });
    await rejects(failing, /disk full/);
    equal(await subject.open()("notes", async () => "written"), "written");
  }),
];
