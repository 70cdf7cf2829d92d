import { deepEqual, equal, rejects } from "node:assert/strict";
import type { Exclusively } from "../ports/exclusively.ts";
import type { ConformanceCase } from "./conformance-case.ts";

/** Several views of one checkout, as several processes would have them. */
export interface ExclusivelySubject {
  open(): Exclusively;
}

/** What a lock for files promises. Run each case on a fresh checkout. */
export const exclusivelyConformance: readonly ConformanceCase<ExclusivelySubject>[] = [
  {
    title: "work of one name runs one after another, however many ask at once",
    async run(subject) {
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
    },
  },
  {
    title: "work of other names goes on meanwhile",
    async run(subject) {
      const lock = subject.open();
      const order: string[] = [];
      await lock("notes", async () => {
        order.push("notes");
        await lock("stages", async () => void order.push("stages"));
      });
      deepEqual(order, ["notes", "stages"]);
    },
  },
  {
    title: "returns what the work returns, and lets go when it throws",
    async run(subject) {
      const lock = subject.open();
      const failing = lock("notes", async () => {
        throw new Error("disk full");
      });
      await rejects(failing, /disk full/);
      equal(await subject.open()("notes", async () => "written"), "written");
    },
  },
];
