import type { JsonObject } from "../../domain/values/json.ts";
import { readClaudeOutput } from "./claude-output.ts";
import { readCodexOutput } from "./codex-output.ts";
import { readEvents } from "./read-events.ts";

/**
 * What the model said, where a program printed it as `claude` or `codex` do without being configured as one of them:
 * the last message, or `all` of them where an earlier one could take back what the last one says. Output that reports
 * an error, or that ends before its turn does, is an empty reply. Any other text is returned as it is.
 */
export function unwrapEnvelope(text: string, messages: "last" | "all" = "last"): string {
  const events = text.includes('"type"') ? readEvents(text) : undefined;
  if (events === undefined || !events.every(isOfEnvelope)) return text;
  const claude = readClaudeOutput(text);
  const output = claude.kind === "unreadable" ? readCodexOutput(text) : claude;
  switch (output.kind) {
    case "reply":
      return messages === "all" ? (output.whole ?? output.text) : output.text;
    case "error":
      return "";
    case "unreadable":
      return events.length > 1 ? "" : text;
  }
}

/** An object with the members of a review is one, whatever else is in it. */
function isOfEnvelope(event: JsonObject): boolean {
  const ofReview = ["verdict", "approved", "issues"].some((name) => Object.hasOwn(event, name));
  return typeof event.type === "string" && !ofReview;
}
