import { z } from "zod";

/** The one shape of every refusal. `code` is stable and meant for programs; nothing internal is ever told. */
export const problemShape = z.object({
  code: z.string(),
  message: z.string(),
  hint: z.string().exactOptional(),
  requestId: z.string(),
  /** What was wrong with which member of a request, or what stands in the way of a decision. */
  details: z.array(z.string()).exactOptional(),
});
