import { z } from "zod";
import { parseJson } from "../../domain/values/json.ts";
import { lazily } from "../../domain/values/lazily.ts";

const shapes = lazily(() => ({
  claudeResult: z.object({
    type: z.literal("result"),
    is_error: z.boolean().optional(),
    result: z.string(),
  }),
  claudeMessage: z.object({
    type: z.literal("assistant"),
    message: z.object({ content: z.array(z.object({ text: z.string().optional() })) }),
  }),
  codexItem: z.object({
    type: z.literal("item.completed"),
    item: z.object({ type: z.literal("agent_message"), text: z.string() }),
  }),
  codexMessage: z.object({
    msg: z.object({ type: z.literal("agent_message"), message: z.string() }),
  }),
  codexStart: z.object({ type: z.literal("thread.started") }),
}));

/** No envelope is without one of these names; most replies are without both. */
const envelopeNames = ['"type"', '"msg"'];

/**
 * What the model said, when a command-line agent wrapped it: the `result` of `claude --output-format json`
 * (an object, or a list of events) or the agent messages of `codex exec --json`: the last one, or `all` of them where
 * an earlier one could take back what the last one says. An envelope that reports an error, or holds no message, is
 * an empty reply. Any other text is returned as it is.
 */
export function unwrapEnvelope(text: string, messages: "last" | "all" = "last"): string {
  const trimmed = text.trim();
  const mayBeEnvelope = trimmed.startsWith("{") || trimmed.startsWith("[");
  if (!mayBeEnvelope || !envelopeNames.some((name) => trimmed.includes(name))) return text;
  const whole = parseJson(trimmed);
  if (whole !== undefined) {
    return unwrapEvents(Array.isArray(whole) ? whole : [whole], messages) ?? text;
  }
  return unwrapEvents(parseLines(trimmed), messages) ?? text;
}

function unwrapEvents(
  events: readonly unknown[] | undefined,
  messages: "last" | "all",
): string | undefined {
  if (events === undefined) return undefined;
  const said = events.flatMap(messagesIn);
  const { claudeResult, codexStart } = shapes();
  const result = claudeResult.safeParse(events.at(-1));
  if (result.success) {
    const { is_error: isError, result: last } = result.data;
    const earlier = messages === "all" ? said.filter((one) => one !== last) : [];
    return isError === true ? "" : [...earlier, last].join("\n\n");
  }
  if (said.length > 0) return (messages === "all" ? said : said.slice(-1)).join("\n\n");
  return codexStart.safeParse(events[0]).success ? "" : undefined;
}

function messagesIn(event: unknown): readonly string[] {
  const { claudeMessage, codexItem, codexMessage } = shapes();
  const item = codexItem.safeParse(event);
  if (item.success) return [item.data.item.text];
  const old = codexMessage.safeParse(event);
  if (old.success) return [old.data.msg.message];
  const message = claudeMessage.safeParse(event);
  return message.success ? message.data.message.content.flatMap(({ text }) => text ?? []) : [];
}

/** One JSON object a line and nothing else; a last line that is cut makes the whole unreadable. */
function parseLines(text: string): readonly unknown[] | undefined {
  const events: unknown[] = [];
  for (const each of text.split("\n")) {
    const trimmed = each.trim();
    if (trimmed === "") continue;
    const value = trimmed.startsWith("{") ? parseJson(trimmed) : undefined;
    if (value === undefined) return undefined;
    events.push(value);
  }
  return events;
}
