import { z } from "zod";
import { readUsage } from "../../domain/models/usage.ts";
import { defined } from "../../domain/values/defined.ts";
import { parseJson } from "../../domain/values/json.ts";
import type { AgentOutput } from "./agent-output.ts";

const tokens = z.object({ prompt: z.unknown(), candidates: z.unknown(), cached: z.unknown() });
const result = z.object({
  response: z.string().optional(),
  error: z.object({ message: z.string() }).nullish(),
  stats: z
    .object({ models: z.record(z.string(), z.object({ tokens })) })
    .optional()
    .catch(undefined),
});

/** Reads what `gemini --output-format json` prints: one object with the response and what each model used. */
export function readGeminiOutput(stdout: string): AgentOutput {
  const read = result.safeParse(parseJson(stdout));
  if (!read.success) return { kind: "unreadable" };
  const { response, error, stats } = read.data;
  if (error != null) return { kind: "error", message: error.message };
  if (response === undefined) return { kind: "unreadable" };
  const used = Object.entries(stats?.models ?? {});
  const [first] = used;
  const usage =
    used.length === 1 && first !== undefined
      ? readUsage({
          input: first[1].tokens.prompt,
          output: first[1].tokens.candidates,
          cachedInput: first[1].tokens.cached,
        })
      : undefined;
  return { kind: "reply", text: response, ...defined({ model: first?.[0], usage }) };
}
