import { z } from "zod";
import { type KnownUsage, readUsage } from "../../domain/models/usage.ts";
import { defined } from "../../domain/values/defined.ts";
import { lazily } from "../../domain/values/lazily.ts";
import type { AgentOutput } from "./agent-output.ts";
import { readEvents } from "./read-events.ts";

/** Checked by `readUsage`; whatever it is, the reply counts. */
const count = z.unknown().optional();
const shapes = lazily(() => ({
  result: z.object({
    type: z.literal("result"),
    is_error: z.boolean().optional(),
    subtype: z.string().optional(),
    result: z.string().optional(),
    errors: z.array(z.string()).optional(),
    total_cost_usd: z.unknown().optional(),
    usage: z
      .object({
        input_tokens: count,
        output_tokens: count,
        cache_read_input_tokens: count,
        cache_creation_input_tokens: count,
      })
      .optional()
      .catch(undefined),
    modelUsage: z
      .record(z.string(), z.object({ outputTokens: count }))
      .optional()
      .catch(undefined),
  }),
  message: z.object({
    type: z.literal("assistant"),
    message: z.object({ content: z.array(z.object({ text: z.string().optional() })) }),
  }),
}));
type Result = z.infer<ReturnType<typeof shapes>["result"]>;

/** Reads what `claude -p --output-format json` prints: one result, or events that end with it. */
export function readClaudeOutput(stdout: string): AgentOutput {
  const events = readEvents(stdout) ?? [];
  const read = shapes().result.safeParse(events.at(-1));
  if (!read.success) return { kind: "unreadable" };
  const { is_error: failed, result: text, subtype = "no result", errors } = read.data;
  if (failed === true || text === undefined) {
    return { kind: "error", message: text ?? errors?.join(" ") ?? subtype };
  }
  const model = mainModel(read.data);
  const usage = usageOf(read.data);
  const earlier = events.flatMap(messagesIn).filter((one) => one !== text);
  const whole = [...earlier, text].join("\n\n");
  return { kind: "reply", text, whole, ...defined({ model, usage }) };
}

function messagesIn(event: unknown): readonly string[] {
  const { success, data } = shapes().message.safeParse(event);
  return success ? data.message.content.flatMap(({ text }) => text ?? []) : [];
}

/** Small models do side jobs; the one with the most output wrote the answer. */
function mainModel({ modelUsage = {} }: Result): string | undefined {
  const [first] = Object.entries(modelUsage).sort(
    ([, one], [, other]) => Number(other.outputTokens) - Number(one.outputTokens),
  );
  return first?.[0];
}

function usageOf({ usage, total_cost_usd: cost }: Result): KnownUsage | undefined {
  if (usage === undefined) return undefined;
  const { input_tokens: fresh, output_tokens: output } = usage;
  const cached = usage.cache_read_input_tokens ?? 0;
  const written = usage.cache_creation_input_tokens ?? 0;
  const parts = [fresh, cached, written];
  const input = parts.every((part) => typeof part === "number")
    ? parts.reduce((sum, part) => sum + part, 0)
    : undefined;
  const microUsd = typeof cost === "number" ? Math.round(cost * 1_000_000) : undefined;
  return readUsage({ input, output, cachedInput: cached, microUsd });
}
