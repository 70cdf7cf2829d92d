import { z } from "zod";

/** The list of models as OpenAI, Anthropic and most servers give it. */
export const modelList = z.object({ data: z.array(z.object({ id: z.string() })) });
