import { z } from "zod";
import type { UsageTotals } from "../../domain/drafting/session.ts";

export const usageShape = z.object({
  calls: z.int(),
  replayed: z.int(),
  unanswered: z.int().exactOptional(),
  inputTokens: z.number().exactOptional(),
  outputTokens: z.number().exactOptional(),
  cachedInputTokens: z.number(),
  microUsd: z.number().exactOptional(),
}) satisfies z.ZodType<UsageTotals>;
