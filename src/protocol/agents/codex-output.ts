import { z } from "zod";
import { type KnownUsage, readUsage } from "../../domain/models/usage.ts";
import { defined } from "../../domain/values/defined.ts";
import { parseJson } from "../../domain/values/json.ts";
import { lazily } from "../../domain/values/lazily.ts";
import type { AgentOutput } from "./agent-output.ts";

/** Checked by `readUsage`; whatever it is, the reply counts. */
const count = z.unknown().optional();
const codexEvent = lazily(() =>
  z.discriminatedUnion("type", [
    z.object({
      type: z.literal("item.completed"),
      item: z.object({
        type: z.string().optional(),
        item_type: z.string().optional(),
        text: z.string().optional(),
      }),
    }),
    z.object({
      type: z.literal("turn.completed"),
      usage: z
        .object({ input_tokens: count, cached_input_tokens: count, output_tokens: count })
        .optional()
        .catch(undefined),
    }),
    z.object({ type: z.literal("turn.failed"), error: z.object({ message: z.string() }) }),
    z.object({ type: z.literal("error"), message: z.string() }),
  ]),
);
type CodexEvent = z.infer<ReturnType<typeof codexEvent>>;

/** Reads the lines of `codex exec --json`: messages count only if their turn was completed. */
export function readCodexOutput(stdout: string): AgentOutput {
  const said: string[] = [];
  let completed: Extract<CodexEvent, { type: "turn.completed" }> | undefined;
  let failure: string | undefined;
  for (const event of eventsOf(stdout)) {
    if (event.type === "turn.completed") completed = event;
    else if (event.type === "turn.failed") failure = event.error.message;
    // Also reported when it reconnects and continues, so it counts only if no turn is completed.
    else if (event.type === "error") failure ??= event.message;
    else if (isMessage(event)) said.push(event.item.text ?? "");
  }
  if (completed === undefined && failure !== undefined) return { kind: "error", message: failure };
  const text = said.findLast((message) => message !== "");
  if (completed === undefined || text === undefined) return { kind: "unreadable" };
  const usage = usageOf(completed);
  return { kind: "reply", text, whole: said.join("\n\n"), ...defined({ usage }) };
}

function* eventsOf(stdout: string): Generator<CodexEvent> {
  for (const line of stdout.split("\n")) {
    const read = codexEvent().safeParse(parseJson(line));
    if (read.success) yield read.data;
  }
}

function isMessage(event: Extract<CodexEvent, { type: "item.completed" }>): boolean {
  const kind = event.item.type ?? event.item.item_type;
  return kind === "agent_message" || kind === "assistant_message";
}

function usageOf({
  usage,
}: Extract<CodexEvent, { type: "turn.completed" }>): KnownUsage | undefined {
  if (usage === undefined) return undefined;
  const { input_tokens: input, output_tokens: output, cached_input_tokens: cachedInput } = usage;
  return readUsage({ input, output, cachedInput });
}
