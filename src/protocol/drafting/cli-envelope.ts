import { z } from "zod";
import { lazily } from "../../domain/values/lazily.ts";

const shapes = lazily(() => ({
  claudeResult: z.object({
    type: z.literal("result"),
    is_error: z.boolean().optional(),
    result: z.string(),
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
 * (an object, or a list of events) or the last agent message of `codex exec --json`. An envelope that reports
 * an error, or holds no message, is an empty reply. Any other text is returned as it is.
 */
export function unwrapEnvelope(text: string): string {
  const trimmed = text.trim();
  const mayBeEnvelope = trimmed.startsWith("{") || trimmed.startsWith("[");
  if (!mayBeEnvelope || !envelopeNames.some((name) => trimmed.includes(name))) {
    return text;
  }
  const whole = parse(trimmed);
  if (whole !== undefined) {
    return unwrapClaude(whole) ?? unwrapEvents([whole]) ?? text;
  }
  return unwrapEvents(parseLines(trimmed)) ?? text;
}

function unwrapClaude(value: unknown): string | undefined {
  const events = Array.isArray(value) ? value : [value];
  const result = shapes().claudeResult.safeParse(events.at(-1));
  if (!result.success) {
    return undefined;
  }
  return result.data.is_error === true ? "" : result.data.result;
}

function unwrapEvents(events: readonly unknown[] | undefined): string | undefined {
  if (events === undefined) {
    return undefined;
  }
  const { codexItem, codexMessage, codexStart } = shapes();
  let message: string | undefined;
  for (const event of events) {
    const item = codexItem.safeParse(event);
    const old = codexMessage.safeParse(event);
    message = item.success ? item.data.item.text : old.success ? old.data.msg.message : message;
  }
  return (
    message ?? unwrapClaude(events) ?? (codexStart.safeParse(events[0]).success ? "" : undefined)
  );
}

/** One JSON object a line and nothing else; a last line that is cut makes the whole unreadable. */
function parseLines(text: string): readonly unknown[] | undefined {
  const events: unknown[] = [];
  for (const each of text.split("\n")) {
    const trimmed = each.trim();
    if (trimmed === "") {
      continue;
    }
    const value = trimmed.startsWith("{") ? parse(trimmed) : undefined;
    if (value === undefined) {
      return undefined;
    }
    events.push(value);
  }
  return events;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
