import { z } from "zod";
import { objects } from "../documents/shapes.ts";
import { daysShape } from "./calls.ts";
import { inboxItemShape } from "./inbox.ts";
import { runShape } from "./runs.ts";

const counted = z.object({ count: z.int(), runs: z.array(runShape) });

/** Everything the first page shows, in one answer; counts are about the whole store. */
export const homeShape = z.object({
  waiting: z.object({ count: z.int(), items: z.array(inboxItemShape) }),
  running: counted,
  resumable: counted,
  approved: z.array(runShape),
  /** Finished runs by kind. */
  finished: objects({ kind: z.string(), runs: z.int() }),
  days: daysShape,
});
